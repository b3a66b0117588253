package dev.pointsman.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/// The fields of one configuration by their paths, such as `iptables.syncPeriod`, wherever they
/// were given. A field that is read is used up; what is left at the end is what the program does
/// not know. Every problem is kept, with its place.
final class Fields {
    private final String source;
    private final SortedMap<String, Leaf> leaves = new TreeMap<>();
    private final SortedMap<String, Value> values = new TreeMap<>();
    private final SortedSet<String> differing = new TreeSet<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /// @param source what the configuration as a whole is called; empty for the command line
    Fields(String source) {
        this.source = source;
    }

    List<String> problems() {
        return problems;
    }

    List<String> warnings() {
        return warnings;
    }

    /// What every field that was read holds.
    SortedMap<String, Value> values() {
        return values;
    }

    /// Fields that were given and hold something else than if they were not.
    SortedSet<String> differing() {
        return differing;
    }

    /// Keeps a problem of the configuration as a whole.
    void problem(String text) {
        problems.add(titled(text));
    }

    /// Keeps what an operator should know of the configuration as a whole.
    void warning(String text) {
        warnings.add(titled(text));
    }

    private String titled(String text) {
        return source.isEmpty() ? text : source + ": " + text;
    }

    /// Gives a field, in place of what it was given before.
    void put(String path, Leaf leaf) {
        leaves.put(path, leaf);
    }

    /// Gives a field that nothing else should have given.
    void putOnce(String path, Leaf leaf) {
        if (leaves.put(path, leaf) != null) {
            warnings.add(leaf.title() + " is given twice; the last one counts");
        }
    }

    /// Whether the field has a value of its own.
    boolean gives(String field) {
        Leaf leaf = leaves.get(field);
        return leaf != null && !leaf.isNothing();
    }

    /// Where the field was given; empty when it was not.
    String place(String field) {
        Leaf leaf = leaves.get(field);
        return leaf == null || leaf.isNothing() ? "" : leaf.title();
    }

    /// First parts of the paths that begin with `section` and a point.
    SortedSet<String> members(String section) {
        SortedSet<String> names = new TreeSet<>();
        for (String path : leaves.subMap(section + ".", section + "/").keySet()) {
            names.add(path.substring(section.length() + 1));
        }
        return names;
    }

    void expect(String field, String value) {
        Leaf leaf = leaves.remove(field);
        if (leaf == null) {
            problem(field + " is missing; expected " + value);
        } else if (!leaf.text().equals(value)) {
            problems.add(leaf.title() + " is \"" + leaf.text() + "\"; expected " + value);
        }
    }

    /// One of the words `allowed`; empty for a field not set.
    String oneOf(String field, String... allowed) {
        return value(
                field,
                "",
                FieldType.text(
                        text -> {
                            if (!List.of(allowed).contains(text)) {
                                throw new IllegalArgumentException(
                                        "\""
                                                + text
                                                + "\" is none of "
                                                + String.join(", ", allowed));
                            }
                            return text;
                        }));
    }

    /// A field that is a single value, or `otherwise`.
    <T> T value(String field, T otherwise, FieldType<T> type) {
        T value = parsed(field, otherwise, type);
        values.put(field, type.print().apply(value));
        if (!value.equals(otherwise)) {
            differing.add(field);
        }
        return value;
    }

    private <T> T parsed(String field, T otherwise, FieldType<T> type) {
        refuseMembers(field);
        Leaf leaf = leaves.remove(field);
        if (leaf == null || leaf.isNothing()) {
            return otherwise;
        }
        if (!(leaf.node() instanceof ScalarNode scalar)) {
            problems.add(leaf.title() + " is " + leaf.kind() + " and should be a single value");
            return otherwise;
        }
        try {
            return type.parse().apply(scalar.getValue());
        } catch (NumberFormatException e) {
            problems.add(leaf.title() + ": \"" + scalar.getValue() + "\" is no number");
        } catch (IllegalArgumentException e) {
            problems.add(leaf.title() + ": " + e.getMessage());
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
        values.put(field, new Value.Words(List.of()));
        if (leaf == null || !leaf.isSet()) {
            return items;
        }
        if (!(leaf.node() instanceof SequenceNode list)) {
            problems.add(leaf.title() + " is " + leaf.kind() + " and should be a list");
            return items;
        }
        List<String> words = new ArrayList<>();
        for (Node node : list.getValue()) {
            Leaf item = leaf.of(field(leaf, field) + "[" + words.size() + "]", node);
            try {
                items.add(parse.apply(item.text()));
            } catch (IllegalArgumentException e) {
                problems.add(item.title() + ": " + e.getMessage() + "; give " + remedy);
            }
            words.add(item.text());
        }
        values.put(field, new Value.Words(words));
        differing.add(field);
        return items;
    }

    private static String field(Leaf leaf, String field) {
        return leaf.isFlag() ? leaf.name() : field;
    }

    /// Whether a flag was given with nothing in it, which the same field of a file cannot say. The
    /// field is used up then.
    boolean isEmptied(String field) {
        Leaf leaf = leaves.get(field);
        if (leaf == null || !leaf.isFlag() || !leaf.text().isEmpty()) {
            return false;
        }
        leaves.remove(field);
        values.put(field, new Value.Text(""));
        differing.add(field);
        return true;
    }

    /// Accepts a field whatever is in it.
    void accept(String field) {
        Collection<Leaf> members = leaves.subMap(field + ".", field + "/").values();
        Leaf leaf = leaves.remove(field);
        if (!members.isEmpty() || leaf != null && leaf.isSet()) {
            differing.add(field);
        }
        members.clear();
    }

    /// A field that has no fields below it was given some.
    private void refuseMembers(String field) {
        SortedMap<String, Leaf> members = leaves.subMap(field + ".", field + "/");
        if (!members.isEmpty()) {
            Leaf first = members.firstEntry().getValue();
            problems.add(first.at() + field + " is an object and should not be one");
            members.clear();
        }
    }

    /// Reports what nobody has read.
    ///
    /// @param kind what the configuration is
    /// @param sections fields that are objects
    void reportTheRest(String kind, Set<String> sections) {
        leaves.forEach(
                (path, leaf) -> {
                    if (!sections.contains(path)) {
                        warnings.add(leaf.title() + " is no field of " + kind + "; ignored");
                    } else if (leaf.isSet()) {
                        problems.add(
                                leaf.title() + " is " + leaf.kind() + " and should be an object");
                    }
                });
    }
}
