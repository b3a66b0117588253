package dev.pointsman.kube;

import dev.pointsman.graph.ServiceName;
import dev.pointsman.store.ClusterEvent;
import java.util.Arrays;
import java.util.Optional;

/// The kinds of object that Pointsman reads.
enum Kind {
    SERVICE("Service", true, "v1", "v1"),
    ENDPOINT_SLICE("EndpointSlice", true, "discovery.k8s.io/v1", "discovery.k8s.io/v1"),
    NODE("Node", false, "v1", "v1"),
    POD("Pod", true, "v1", "v1"),
    SERVICE_CIDR("ServiceCIDR", false, "networking.k8s.io/v1", "networking.k8s.io/v1beta1");

    private final String title;
    private final boolean namespaced;
    private final String apiVersion;
    private final String sameInOlder;

    Kind(String title, boolean namespaced, String apiVersion, String sameInOlder) {
        this.title = title;
        this.namespaced = namespaced;
        this.apiVersion = apiVersion;
        this.sameInOlder = sameInOlder;
    }

    /// The kind with this name in this API. Other APIs have a `Service` too (Knative), so the name
    /// alone does not decide; an empty `apiVersion` matches.
    static Optional<Kind> of(String apiVersion, String title) {
        return Arrays.stream(values())
                .filter(kind -> kind.title.equals(title))
                .filter(
                        kind ->
                                apiVersion.isEmpty()
                                        || kind.apiVersion.equals(apiVersion)
                                        || kind.sameInOlder.equals(apiVersion))
                .findFirst();
    }

    /// The name as Kubernetes writes it.
    String title() {
        return title;
    }

    String apiVersion() {
        return apiVersion;
    }

    boolean namespaced() {
        return namespaced;
    }

    /// What tells the store that the object is not there. Pods never get to the store.
    Decoded gone(String namespace, String name) {
        return switch (this) {
            case SERVICE ->
                    new Decoded.Gone(
                            new ClusterEvent.ServiceGone(new ServiceName(namespace, name)));
            case ENDPOINT_SLICE -> new Decoded.Gone(new ClusterEvent.SliceGone(namespace, name));
            case NODE -> new Decoded.Gone(new ClusterEvent.NodeGone(name));
            case SERVICE_CIDR -> new Decoded.Gone(new ClusterEvent.ServiceRangesGone(name));
            case POD -> new Decoded.Nothing();
        };
    }
}
