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
        return this instanceof Fields fields ? fields : wrong("an object");
    }

    default List<Json> items() {
        return this instanceof Items items ? items.values() : wrong("an array");
    }

    default String text() {
        return this instanceof Text text ? text.value() : wrong("a string");
    }

    default int number() {
        if (this instanceof Literal literal) {
            try {
                return Integer.parseInt(literal.value());
            } catch (NumberFormatException _) {
                return wrong("a number");
            }
        }
        return wrong("a number");
    }

    default <T> T wrong(String wanted) {
        String found =
                switch (this) {
                    case Fields _ -> "an object";
                    case Items _ -> "an array";
                    case Text text -> text.value();
                    case Literal literal -> literal.value();
                };
        throw new SyntaxException(line(), column(), "expected " + wanted + ", found " + found);
    }
}
