package dev.pointsman.config;

/// Prints a configuration as YAML that every reader of YAML reads alike: texts are quoted, so that
/// none looks like a number or like one of the many words for true.
public final class ConfigYaml {
    private ConfigYaml() {}

    public static String of(Value.Section document) {
        StringBuilder text = new StringBuilder(1024);
        members(document, "", text);
        return text.toString();
    }

    private static void members(Value.Section section, String indent, StringBuilder text) {
        section.members()
                .forEach(
                        (name, value) -> {
                            text.append(indent).append(name.matches("\\w+") ? name : quoted(name));
                            member(value, indent, text.append(':'));
                        });
    }

    private static void member(Value value, String indent, StringBuilder text) {
        switch (value) {
            case Value.Text(var words) -> text.append(' ').append(quoted(words)).append('\n');
            case Value.Count(var count) -> text.append(' ').append(count).append('\n');
            case Value.Rate(var rate) -> text.append(' ').append(rate.toPlainString()).append('\n');
            case Value.Truth(var truth) -> text.append(' ').append(truth).append('\n');
            case Value.Words(var words) when words.isEmpty() -> text.append(" []\n");
            case Value.Words(var words) -> {
                text.append('\n');
                words.forEach(word -> text.append(indent + "- ").append(quoted(word)).append('\n'));
            }
            case Value.Section section -> {
                text.append('\n');
                members(section, indent + "  ", text);
            }
        }
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        text.chars()
                .forEach(
                        c -> {
                            if (c == '"' || c == '\\') {
                                quoted.append('\\').append((char) c);
                            } else if (c < ' ' || c == 0x7f) {
                                quoted.append("\\x%02x".formatted(c));
                            } else {
                                quoted.append((char) c);
                            }
                        });
        return quoted.append('"').toString();
    }
}
