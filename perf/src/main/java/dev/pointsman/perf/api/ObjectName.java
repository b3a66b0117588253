package dev.pointsman.perf.api;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What an object is called.
///
/// @param namespace empty for kinds without
public record ObjectName(Kind kind, String namespace, String name) {
    public ObjectName {
        if (name.isEmpty() || (kind.scope() == Kind.Scope.NAMESPACE) == namespace.isEmpty()) {
            throw new IllegalArgumentException(
                    "no "
                            + kind.title()
                            + " can have the namespace \""
                            + namespace
                            + "\" and the name \""
                            + name
                            + "\"");
        }
    }

    /// The name that `object` gives itself, which is of one of the kinds that are kept.
    public static ObjectName of(ObjectNode object) {
        String apiVersion = object.path("apiVersion").asString("");
        String title = object.path("kind").asString("");
        Kind kind =
                Kind.of(apiVersion, title)
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "objects of kind \""
                                                        + title
                                                        + "\" in API \""
                                                        + apiVersion
                                                        + "\" are not kept here"));
        JsonNode metadata = object.path("metadata");
        return new ObjectName(
                kind, metadata.path("namespace").asString(""), metadata.path("name").asString(""));
    }

    /// Where it is in the API of a server.
    public String path() {
        return listPath() + "/" + name;
    }

    /// Where the objects of its kind and namespace are.
    public String listPath() {
        return kind.path(namespace);
    }

    /// Lists have objects of a kind in the order of these.
    String key() {
        return switch (kind.scope()) {
            case NAMESPACE -> namespace + "/" + name;
            case CLUSTER -> name;
        };
    }
}
