package dev.pointsman.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/// The fields of one document by their paths, such as `iptables.syncPeriod`. A field that is read
/// is used up; what is left at the end is what the program does not know. Every problem is kept,
/// with its line.
final class Fields {
    // How a ConfigMap spells that a field is not set.
    private static final Set<String> UNSET =
            Set.of("", "null", "~", "0", "0s", "false", "{}", "[]");

    private record Leaf(Node node) {
        int line() {
            return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
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

    private final String source;
    private final String kind;
    private final SortedMap<String, Leaf> leaves = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private Fields(String source, String kind) {
        this.source = source;
        this.kind = kind;
    }

    /// The fields of `text`, YAML or JSON, which came from `source` and should be a `kind`.
    static Fields of(String source, String kind, String text) {
        Fields fields = new Fields(source, kind);
        try {
            LoadSettings settings = LoadSettings.builder().setAllowDuplicateKeys(true).build();
            new Compose(settings)
                    .composeString(text)
                    .ifPresentOrElse(
                            root -> fields.flatten("", root),
                            () -> fields.problem("is empty; expected kind " + kind));
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
            fields.problems.add(source + ":" + line + ": is no YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            fields.problem("is no YAML: " + firstLine(e));
        }
        return fields;
    }

    List<String> problems() {
        return problems;
    }

    List<String> warnings() {
        return warnings;
    }

    /// Keeps a problem of the document as a whole.
    void problem(String text) {
        problems.add(source + ": " + text);
    }

    /// Keeps what an operator should know of the document as a whole.
    void warning(String text) {
        warnings.add(source + ": " + text);
    }

    private void flatten(String path, Node node) {
        if (node instanceof MappingNode map && !map.getValue().isEmpty()) {
            for (NodeTuple tuple : map.getValue()) {
                String key =
                        tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
                flatten(path.isEmpty() ? key : path + "." + key, tuple.getValueNode());
            }
            return;
        }
        Leaf leaf = new Leaf(node);
        if (!path.isEmpty() && node.getTag().equals(Tag.NULL)) {
            return; // The API makes no difference between null and absent.
        }
        if (path.isEmpty()) {
            problems.add(at(leaf) + "is no object; expected kind " + kind);
        } else if (leaves.put(path, leaf) != null) {
            warnings.add(at(leaf) + path + " is given twice; the last one counts");
        }
    }

    void expect(String field, String value) {
        Leaf leaf = leaves.remove(field);
        if (leaf == null) {
            problem(field + " is missing; expected " + value);
        } else if (!leaf.text().equals(value)) {
            problems.add(at(leaf) + field + " is \"" + leaf.text() + "\"; expected " + value);
        }
    }

    /// One of the words `allowed`, of which the first is empty and stands for a field not set.
    String oneOf(String field, String... allowed) {
        return value(
                field,
                "",
                text -> {
                    if (!List.of(allowed).contains(text)) {
                        throw new IllegalArgumentException(
                                "\""
                                        + text
                                        + "\" is none of "
                                        + String.join(", ", allowed).substring(2));
                    }
                    return text;
                });
    }

    /// What `parse` makes of a field that is a single value, or `otherwise`.
    <T> T value(String field, T otherwise, Function<String, T> parse) {
        refuseMembers(field);
        Leaf leaf = leaves.remove(field);
        if (leaf == null || leaf.isNothing()) {
            return otherwise;
        }
        if (!(leaf.node() instanceof ScalarNode scalar)) {
            problems.add(at(leaf) + field + " is " + leaf.kind() + " and should be a single value");
            return otherwise;
        }
        try {
            return parse.apply(scalar.getValue());
        } catch (NumberFormatException e) {
            problems.add(at(leaf) + field + ": \"" + scalar.getValue() + "\" is no number");
        } catch (IllegalArgumentException e) {
            problems.add(at(leaf) + field + ": " + e.getMessage());
        }
        return otherwise;
    }

    /// What `parse` makes of every item of a list.
    ///
    /// @param remedy what to give instead of an item that is wrong
    <T> List<T> list(String field, Function<String, T> parse, String remedy) {
        refuseMembers(field);
        Leaf leaf = leaves.remove(field);
        List<T> items = new ArrayList<>();
        if (leaf == null || !leaf.isSet()) {
            return items;
        }
        if (!(leaf.node() instanceof SequenceNode list)) {
            problems.add(at(leaf) + field + " is " + leaf.kind() + " and should be a list");
            return items;
        }
        for (int i = 0; i < list.getValue().size(); i++) {
            Leaf item = new Leaf(list.getValue().get(i));
            try {
                items.add(parse.apply(item.text()));
            } catch (IllegalArgumentException e) {
                problems.add(
                        at(item) + field + "[" + i + "]: " + e.getMessage() + "; give " + remedy);
            }
        }
        return items;
    }

    /// A field that has no fields below it was given some.
    private void refuseMembers(String field) {
        SortedMap<String, Leaf> members = leaves.subMap(field + ".", field + "/");
        if (!members.isEmpty()) {
            Leaf first = members.get(members.firstKey());
            problems.add(
                    source
                            + ":"
                            + (first == null ? 0 : first.line())
                            + ": "
                            + field
                            + " is an object and should not be one");
            members.clear();
        }
    }

    /// Checks a field of which nothing but a warning comes.
    void check(String field, Function<String, ?> parse) {
        Leaf leaf = leaves.get(field);
        if (leaf == null) {
            refuseMembers(field);
            return;
        }
        int before = problems.size();
        value(field, "", text -> String.valueOf(parse.apply(text)));
        if (problems.size() == before) {
            leaves.put(field, leaf);
        }
    }

    /// Reports what nobody has read.
    ///
    /// @param sections fields that are objects
    /// @param notUsed first names of fields that exist and of which nothing comes
    void reportTheRest(Set<String> sections, Set<String> notUsed) {
        List<String> accepted = new ArrayList<>();
        leaves.forEach(
                (path, leaf) -> {
                    if (sections.contains(path)) {
                        if (leaf.isSet()) {
                            problems.add(
                                    at(leaf)
                                            + path
                                            + " is "
                                            + leaf.kind()
                                            + " and should be an object");
                        }
                    } else if (!notUsed.contains(path.split("\\.", 2)[0])) {
                        warnings.add(at(leaf) + path + " is no field of " + kind + "; ignored");
                    } else if (leaf.isSet()) {
                        accepted.add(path);
                    }
                });
        if (!accepted.isEmpty()) {
            warnings.add(source + ": accepted and not used yet: " + String.join(", ", accepted));
        }
    }

    private String at(Leaf leaf) {
        return source + ":" + leaf.line() + ": ";
    }

    private static String firstLine(RuntimeException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
