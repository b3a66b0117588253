package dev.pointsman.config;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What a field of a configuration holds, as it is printed.
public sealed interface Value {
    record Text(String text) implements Value {}

    record Count(long count) implements Value {}

    record Rate(BigDecimal rate) implements Value {}

    record Truth(boolean truth) implements Value {}

    record Words(List<String> words) implements Value {
        public Words {
            words = List.copyOf(words);
        }
    }

    /// Members in the order of their names.
    record Section(SortedMap<String, Value> members) implements Value {
        public Section {
            members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
        }
    }

    /// As Go prints it for a flag.
    default String printed() {
        return switch (this) {
            case Text(var text) -> text;
            case Count(long count) -> String.valueOf(count);
            case Rate(var rate) -> rate.toPlainString();
            case Truth(boolean truth) -> String.valueOf(truth);
            case Words(var words) -> "[" + String.join(",", words) + "]";
            case Section(var members) ->
                    members.entrySet().stream()
                            .map(member -> member.getKey() + "=" + member.getValue().printed())
                            .collect(Collectors.joining(","));
        };
    }

    /// Values by their paths, such as `iptables.syncPeriod`, as sections of sections.
    static Section tree(SortedMap<String, Value> paths) {
        SortedMap<String, Value> members = new TreeMap<>();
        SortedMap<String, SortedMap<String, Value>> sections = new TreeMap<>();
        paths.forEach(
                (path, value) -> {
                    int point = path.indexOf('.');
                    if (point < 0) {
                        members.put(path, value);
                    } else {
                        sections.computeIfAbsent(path.substring(0, point), _ -> new TreeMap<>())
                                .put(path.substring(point + 1), value);
                    }
                });
        sections.forEach((name, below) -> members.put(name, tree(below)));
        return new Section(members);
    }
}
