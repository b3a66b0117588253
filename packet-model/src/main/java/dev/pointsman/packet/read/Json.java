package dev.pointsman.packet.read;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// A JSON value, and where it begins.
sealed interface Json {
    int line();

    int column();

    record Fields(SequencedMap<String, Json> values, int line, int column) implements Json {
        public Fields {
            values = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(values));
        }

        Optional<Json> find(String name) {
            return Optional.ofNullable(values.get(name));
        }

        Json get(String name) {
            return find(name)
                    .orElseThrow(() -> new SyntaxException(line, column, "expected " + name));
        }
    }

    record Items(List<Json> values, int line, int column) implements Json {
        public Items {
            values = List.copyOf(values);
        }
    }

    record Text(String value, int line, int column) implements Json {}

    /// A number, `true`, `false` or `null`.
    record Literal(String value, int line, int column) implements Json {}

    default Fields fields() {
        if (this instanceof Fields fields) {
            return fields;
        }
        throw wrong("an object");
    }

    default List<Json> items() {
        if (this instanceof Items items) {
            return items.values();
        }
        throw wrong("an array");
    }

    default String text() {
        if (this instanceof Text text) {
            return text.value();
        }
        throw wrong("a string");
    }

    default int number() {
        if (this instanceof Literal literal) {
            try {
                return Integer.parseInt(literal.value());
            } catch (NumberFormatException _) {
                throw wrong("a number");
            }
        }
        throw wrong("a number");
    }

    /// This is not what it should be.
    default SyntaxException wrong(String wanted) {
        String found =
                switch (this) {
                    case Fields _ -> "an object";
                    case Items _ -> "an array";
                    case Text text -> text.value();
                    case Literal literal -> literal.value();
                };
        return new SyntaxException(line(), column(), "expected " + wanted + ", found " + found);
    }
}
