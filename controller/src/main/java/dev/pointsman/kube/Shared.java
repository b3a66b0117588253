package dev.pointsman.kube;

import java.util.HashMap;
import java.util.Map;

/// Keeps one copy of values that repeat from object to object: 50,000 endpoints have some thousand
/// hints, and port lists are much alike.
final class Shared<T> {
    private static final int MOST = 4096;

    private final Map<T, T> copies = new HashMap<>();

    T copyOf(T value) {
        T known = copies.putIfAbsent(value, value);
        if (known != null) {
            return known;
        }
        if (copies.size() > MOST) {
            // Forgetting costs a second copy now and then; remembering for ever would be a leak.
            copies.clear();
        }
        return value;
    }
}
