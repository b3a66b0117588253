package dev.pointsman.config;

import java.util.Set;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/// One value of a configuration, and where it was given.
///
/// @param origin the text that it is in; empty for a flag of the command line
/// @param name path of the field, or the flag
record Leaf(Origin origin, String name, Node node) {
    // How a ConfigMap spells that a field is not set.
    private static final Set<String> UNSET =
            Set.of("", "null", "~", "0", "0s", "false", "{}", "[]");

    /// @param source name of a file; empty for the command line
    /// @param firstLine of the text within it, counted from 0
    record Origin(String source, int firstLine) {
        static final Origin COMMAND_LINE = new Origin("", 0);
    }

    static Leaf ofFlag(String flag, String value) {
        return new Leaf(
                Origin.COMMAND_LINE, flag, new ScalarNode(Tag.STR, value, ScalarStyle.PLAIN));
    }

    /// The same value or list of values under another name.
    Leaf of(String other, Node part) {
        return new Leaf(origin, other, part);
    }

    boolean isFlag() {
        return origin.equals(Origin.COMMAND_LINE);
    }

    /// Begins whatever is said of it.
    String title() {
        return isFlag() ? name : at() + name;
    }

    /// File and line.
    String at() {
        return isFlag() ? "" : origin.source() + ":" + line() + ": ";
    }

    private int line() {
        return origin.firstLine() + node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
    }

    boolean isSet() {
        return !(node instanceof ScalarNode scalar && scalar.getValue().isEmpty())
                && !UNSET.contains(text());
    }

    boolean isNothing() {
        return text().isEmpty() || text().equals("null") || text().equals("~");
    }

    /// In words, for what it should not be.
    String kind() {
        return switch (node) {
            case ScalarNode scalar -> "\"" + scalar.getValue() + "\"";
            case SequenceNode _ -> "a list";
            case MappingNode _ -> "an object";
            default -> "no value";
        };
    }

    String text() {
        return switch (node) {
            case ScalarNode scalar -> scalar.getValue();
            case SequenceNode list when list.getValue().isEmpty() -> "[]";
            case MappingNode map when map.getValue().isEmpty() -> "{}";
            default -> node.getNodeType().toString();
        };
    }
}
