package dev.pointsman.perf.api;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The kinds of object that are kept.
public enum Kind {
    SERVICE("v1", "Service", "services", Scope.NAMESPACE),
    ENDPOINT_SLICE("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", Scope.NAMESPACE),
    NODE("v1", "Node", "nodes", Scope.CLUSTER),
    SERVICE_CIDR("networking.k8s.io/v1", "ServiceCIDR", "servicecidrs", Scope.CLUSTER);

    /// Within what a name stands for one object.
    enum Scope {
        NAMESPACE,
        CLUSTER
    }

    private final String apiVersion;
    private final String title;
    private final String plural;
    private final Scope scope;

    Kind(String apiVersion, String title, String plural, Scope scope) {
        this.apiVersion = apiVersion;
        this.title = title;
        this.plural = plural;
        this.scope = scope;
    }

    /// The kind of an object that says `kind: title` and `apiVersion`.
    static Optional<Kind> of(String apiVersion, String title) {
        return Arrays.stream(values())
                .filter(kind -> kind.apiVersion.equals(apiVersion) && kind.title.equals(title))
                .findFirst();
    }

    /// The kind that paths call `plural`.
    static Optional<Kind> ofPath(String apiVersion, String plural) {
        return Arrays.stream(values())
                .filter(kind -> kind.apiVersion.equals(apiVersion) && kind.plural.equals(plural))
                .findFirst();
    }

    String apiVersion() {
        return apiVersion;
    }

    /// As objects call it, such as `EndpointSlice`.
    String title() {
        return title;
    }

    /// As paths call it, such as `endpointslices`.
    String plural() {
        return plural;
    }

    Scope scope() {
        return scope;
    }

    /// Where the objects of this kind are in the API of a server.
    ///
    /// @param namespace empty for all
    public String path(String namespace) {
        return (apiVersion.contains("/") ? "/apis/" : "/api/")
                + apiVersion
                + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
                + "/"
                + plural;
    }

    /// What field selectors can name.
    List<String> fields() {
        return switch (this) {
            case SERVICE ->
                    List.of("metadata.name", "metadata.namespace", "spec.clusterIP", "spec.type");
            case ENDPOINT_SLICE -> List.of("metadata.name", "metadata.namespace");
            case NODE, SERVICE_CIDR -> List.of("metadata.name");
        };
    }
}
