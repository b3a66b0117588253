package dev.pointsman.config;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/// One object of a YAML or JSON text.
record YamlDocument(Leaf.Origin origin, MappingNode root) {
    /// The text holds no object; the message says where and why.
    static final class NoObject extends Exception {
        private static final long serialVersionUID = 1;

        NoObject(String message) {
            super(message);
        }
    }

    /// Reads `text`, which should be a `kind`.
    static YamlDocument of(Leaf.Origin origin, String kind, String text) throws NoObject {
        String source = origin.source() + ":";
        try {
            LoadSettings settings = LoadSettings.builder().setAllowDuplicateKeys(true).build();
            Node root =
                    new Compose(settings)
                            .composeString(text)
                            .orElseThrow(
                                    () ->
                                            new NoObject(
                                                    source + " is empty; expected kind " + kind));
            Leaf leaf = new Leaf(origin, "", root);
            if (root instanceof MappingNode object && !object.getValue().isEmpty()) {
                return new YamlDocument(origin, object);
            }
            throw new NoObject(leaf.title() + "is no object; expected kind " + kind);
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
            throw new NoObject(
                    source + (origin.firstLine() + line) + ": is no YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw new NoObject(
                    source
                            + " is no YAML: "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    /// What `kind:` says; empty if it is not there.
    String kind() {
        return text("kind");
    }

    /// The text at the end of a path of keys; empty if there is none.
    String text(String... path) {
        return at(root, path)
                .map(node -> node instanceof ScalarNode scalar ? scalar.getValue() : "")
                .orElse("");
    }

    /// The objects of a list at the end of a path of keys.
    List<YamlDocument> objects(String... path) {
        return items(path)
                .filter(MappingNode.class::isInstance)
                .map(node -> new YamlDocument(origin, (MappingNode) node))
                .toList();
    }

    /// The texts of a list at the end of a path of keys.
    List<String> texts(String... path) {
        return items(path)
                .map(node -> node instanceof ScalarNode scalar ? scalar.getValue() : "")
                .toList();
    }

    private Stream<Node> items(String... path) {
        return at(root, path).stream()
                .flatMap(
                        node ->
                                node instanceof SequenceNode list
                                        ? list.getValue().stream()
                                        : Stream.of());
    }

    /// Texts by their keys in the object at `key`, as origins and texts of documents of their own.
    List<Embedded> embedded(String key) {
        return at(root, key).stream()
                .flatMap(
                        node ->
                                node instanceof MappingNode map
                                        ? map.getValue().stream()
                                        : Stream.of())
                .filter(tuple -> tuple.getValueNode() instanceof ScalarNode)
                .map(tuple -> embedded(key(tuple), (ScalarNode) tuple.getValueNode()))
                .toList();
    }

    /// A text within a text.
    record Embedded(String key, Leaf.Origin origin, String text) {}

    private Embedded embedded(String key, ScalarNode scalar) {
        // Only a literal block has the lines of its text as lines of the file.
        Leaf.Origin inside =
                scalar.getScalarStyle() == ScalarStyle.LITERAL
                        ? new Leaf.Origin(
                                origin.source(),
                                origin.firstLine()
                                        + scalar.getStartMark()
                                                .map(mark -> mark.getLine() + 1)
                                                .orElse(0))
                        : new Leaf.Origin(origin.source() + ": " + key, 0);
        return new Embedded(key, inside, scalar.getValue());
    }

    private static Optional<Node> at(Node start, String... path) {
        Optional<Node> found = Optional.of(start);
        for (String key : path) {
            found = found.flatMap(node -> member(node, key));
        }
        return found;
    }

    private static Optional<Node> member(Node node, String key) {
        return node instanceof MappingNode map
                ? map.getValue().stream()
                        .filter(tuple -> key(tuple).equals(key))
                        .map(NodeTuple::getValueNode)
                        .findFirst()
                : Optional.empty();
    }

    /// Gives all fields to `fields`.
    void flattenInto(Fields fields) {
        flatten("", root, fields);
    }

    private void flatten(String path, Node node, Fields fields) {
        if (node instanceof MappingNode map && !map.getValue().isEmpty()) {
            for (NodeTuple tuple : map.getValue()) {
                String key = key(tuple);
                flatten(path.isEmpty() ? key : path + "." + key, tuple.getValueNode(), fields);
            }
        } else if (!node.getTag().equals(Tag.NULL)) {
            // The API makes no difference between null and absent.
            fields.putOnce(path, new Leaf(origin, path, node));
        }
    }

    private static String key(NodeTuple tuple) {
        return tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
    }
}
