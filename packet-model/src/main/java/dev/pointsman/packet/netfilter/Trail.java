package dev.pointsman.packet.netfilter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A list that grows at its end and whose beginnings are shared: paths fork.
sealed interface Trail<T> {
    record Start<T>() implements Trail<T> {}

    record Longer<T>(Trail<T> before, T last) implements Trail<T> {}

    default Trail<T> and(T last) {
        return new Longer<>(this, last);
    }

    default List<T> list() {
        List<T> list = new ArrayList<>();
        Trail<T> at = this;
        while (at instanceof Longer<T>(var before, var last)) {
            list.add(last);
            at = before;
        }
        Collections.reverse(list);
        return list;
    }
}
