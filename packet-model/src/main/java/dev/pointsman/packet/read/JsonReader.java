package dev.pointsman.packet.read;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Reads JSON (RFC 8259).
final class JsonReader {
    private static final int DEPTH = 200;

    private final String text;
    private int at;
    private int line = 1;
    private int lineStart;

    private JsonReader(String text) {
        this.text = text;
    }

    static Json read(String text) {
        JsonReader reader = new JsonReader(text);
        Json value = reader.value(0);
        if (reader.peek() != 0) {
            throw reader.expected("the end");
        }
        return value;
    }

    private Json value(int depth) {
        char first = peek();
        int atLine = line;
        int column = column();
        if (depth > DEPTH) {
            throw expected("fewer levels");
        }
        return switch (first) {
            case '{' -> new Json.Fields(fields(depth), atLine, column);
            case '[' -> new Json.Items(items(depth), atLine, column);
            case '"' -> new Json.Text(string(), atLine, column);
            default -> new Json.Literal(literal(), atLine, column);
        };
    }

    private SequencedMap<String, Json> fields(int depth) {
        SequencedMap<String, Json> fields = new LinkedHashMap<>();
        at++;
        if (accepts('}')) {
            return fields;
        }
        do {
            if (peek() != '"') {
                throw expected("a name");
            }
            SyntaxException again = expected("a name that is new");
            String name = string();
            if (!accepts(':')) {
                throw expected(":");
            }
            if (fields.put(name, value(depth + 1)) != null) {
                throw again;
            }
        } while (accepts(','));
        if (!accepts('}')) {
            throw expected(", or }");
        }
        return fields;
    }

    private List<Json> items(int depth) {
        List<Json> items = new ArrayList<>();
        at++;
        if (accepts(']')) {
            return items;
        }
        do {
            items.add(value(depth + 1));
        } while (accepts(','));
        if (!accepts(']')) {
            throw expected(", or ]");
        }
        return items;
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at);
            if (c < ' ') {
                throw expected("a character of a string");
            }
            at++;
            string.append(c == '\\' ? escaped() : c);
        }
        if (at == text.length()) {
            throw expected("the end of a string");
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        if (at == text.length()) {
            throw expected("the end of a string");
        }
        char c = text.charAt(at++);
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                try {
                    int code = Integer.parseInt(text, at, Math.min(at + 4, text.length()), 16);
                    at = Math.min(at + 4, text.length());
                    yield (char) code;
                } catch (NumberFormatException _) {
                    throw expected("four hexadecimal digits");
                }
            }
            default -> throw expected("an escaped character");
        };
    }

    private String literal() {
        int start = at;
        while (at < text.length() && isPartOfLiteral(text.charAt(at))) {
            at++;
        }
        String literal = text.substring(start, at);
        if (!literal.matches("true|false|null|-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?")) {
            at = start;
            throw expected("a value");
        }
        return literal;
    }

    private static boolean isPartOfLiteral(char c) {
        return c >= 'a' && c <= 'z'
                || c >= '0' && c <= '9'
                || c == '-'
                || c == '+'
                || c == '.'
                || c == 'E';
    }

    private boolean accepts(char wanted) {
        boolean accepted = peek() == wanted;
        if (accepted) {
            at++;
        }
        return accepted;
    }

    /// The next character that is no space, 0 at the end.
    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            if (text.charAt(at++) == '\n') {
                line++;
                lineStart = at;
            }
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private int column() {
        return at - lineStart + 1;
    }

    private SyntaxException expected(String wanted) {
        String found = at < text.length() ? text.substring(at, at + 1) : "the end of the text";
        return new SyntaxException(line, column(), "expected " + wanted + ", found " + found);
    }
}
