package dev.pointsman;

import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Prints trees as JSON, two spaces deep, for people and for programs.
sealed interface Json {
    record Text(String value) implements Json {}

    record Count(long value) implements Json {}

    record Rate(BigDecimal value) implements Json {}

    record Truth(boolean value) implements Json {}

    record Array(List<Json> values) implements Json {
        public Array {
            values = List.copyOf(values);
        }
    }

    /// In the order of the map.
    record Fields(Map<String, Json> values) implements Json {}

    static Json of(Collection<String> texts) {
        return new Array(texts.stream().<Json>map(Text::new).toList());
    }

    default void print(PrintWriter out) {
        print(out, "");
        out.println();
    }

    private void print(PrintWriter out, String indent) {
        switch (this) {
            case Text(var value) -> out.print(quoted(value));
            case Count(long value) -> out.print(value);
            case Rate(var value) -> out.print(value.toPlainString());
            case Truth(boolean value) -> out.print(value);
            case Array(var values) -> {
                out.print('[');
                printAll(out, indent, values.iterator(), value -> value.print(out, indent + "  "));
                out.print(']');
            }
            case Fields(var values) -> {
                out.print('{');
                printAll(
                        out,
                        indent,
                        values.entrySet().iterator(),
                        entry -> {
                            out.print(quoted(entry.getKey()) + ": ");
                            entry.getValue().print(out, indent + "  ");
                        });
                out.print('}');
            }
        }
    }

    private static <T> void printAll(
            PrintWriter out, String indent, Iterator<T> items, Consumer<T> print) {
        if (!items.hasNext()) {
            return;
        }
        while (items.hasNext()) {
            out.print("\n" + indent + "  ");
            print.accept(items.next());
            out.print(items.hasNext() ? "," : "\n" + indent);
        }
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 16).append('"');
        text.chars().forEach(c -> escape(c, quoted));
        return quoted.append('"').toString();
    }

    private static void escape(int c, StringBuilder into) {
        switch (c) {
            case '"' -> into.append("\\\"");
            case '\\' -> into.append("\\\\");
            case '\n' -> into.append("\\n");
            case '\t' -> into.append("\\t");
            default -> {
                if (c < ' ' || c == 0x7f) {
                    into.append(String.format("\\u%04x", c));
                } else {
                    into.append((char) c);
                }
            }
        }
    }
}
