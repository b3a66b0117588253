package dev.pointsman.perf;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What a real API server says, in a form that compares with what ours says.
final class Comparison {
    private Comparison() {}

    /// What lines of a watch say, as far as `ours` say it as well.
    static List<String> said(List<JsonNode> lines, List<JsonNode> ours) {
        return IntStream.range(0, lines.size())
                .mapToObj(
                        index ->
                                said(
                                        lines.get(index),
                                        index < ours.size() ? ours.get(index) : lines.get(index)))
                .toList();
    }

    private static String said(JsonNode line, JsonNode ours) {
        String type = line.path("type").asString();
        JsonNode object = line.path("object");
        return type
                + " "
                + switch (type) {
                    case "ERROR" ->
                            object.path("code").asInt() + " " + object.path("reason").asString();
                    case "BOOKMARK" ->
                            object.path("kind").asString()
                                    + object.path("metadata").path("annotations");
                    default -> restricted(object, withoutServerFields(ours.path("object")));
                };
    }

    /// So much of `real` as is in `ours` too: a real server adds what is usual.
    static JsonNode restricted(JsonNode real, JsonNode ours) {
        if (real instanceof ObjectNode fields && ours instanceof ObjectNode wanted) {
            ObjectNode restricted = JsonNodeFactory.instance.objectNode();
            wanted.forEachEntry(
                    (name, value) -> {
                        if (fields.has(name)) {
                            restricted.set(name, restricted(fields.path(name), value));
                        }
                    });
            return restricted;
        }
        if (real instanceof ArrayNode items
                && ours instanceof ArrayNode wanted
                && items.size() == wanted.size()) {
            ArrayNode restricted = JsonNodeFactory.instance.arrayNode();
            for (int index = 0; index < items.size(); index++) {
                restricted.add(restricted(items.get(index), wanted.get(index)));
            }
            return restricted;
        }
        // Go writes no items like this.
        return real.isNull() && ours.isArray() && ours.isEmpty() ? ours : real;
    }

    /// Without what a server decides by itself.
    static JsonNode withoutServerFields(JsonNode object) {
        JsonNode without = object.deepCopy();
        Stream.concat(Stream.of(without), without.valueStream())
                .map(each -> each.path("metadata"))
                .forEach(
                        metadata -> {
                            if (metadata instanceof ObjectNode fields) {
                                fields.remove(
                                        List.of(
                                                "resourceVersion",
                                                "creationTimestamp",
                                                "uid",
                                                "managedFields"));
                            }
                        });
        return without;
    }
}
