package dev.pointsman.kube;

import dev.pointsman.graph.NodeView;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Finding;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A cluster as files describe it.
///
/// @param events what is there, one event for each object that counts, in the order read
/// @param pods in the order read
/// @param counts objects read of each kind, those skipped included
/// @param findings everything an operator should know, in the order found
public record Snapshot(
        List<ClusterEvent> events,
        List<Pod> pods,
        SortedMap<String, Integer> counts,
        List<Finding> findings) {
    /// Prints all that decides rules.
    static final String FULL = "kubectl get nodes,services,endpointslices,servicecidrs -A -o yaml";

    /// Whether a snapshot holds a Node.
    public sealed interface NodeLookup {
        record Found(NodeView node) implements NodeLookup {}

        /// It does not.
        ///
        /// @param message names the Nodes there are
        record Unknown(String message) implements NodeLookup {}
    }

    public Snapshot {
        events = List.copyOf(events);
        pods = List.copyOf(pods);
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
        findings = List.copyOf(findings);
    }

    /// The Nodes by name.
    public SortedMap<String, NodeView> nodes() {
        SortedMap<String, NodeView> nodes = new TreeMap<>();
        for (ClusterEvent event : events) {
            if (event instanceof ClusterEvent.NodeSeen(NodeView node, _)) {
                nodes.put(node.name(), node);
            }
        }
        return nodes;
    }

    /// The Node `name`.
    public NodeLookup node(String name) {
        SortedMap<String, NodeView> nodes = nodes();
        NodeView found = nodes.get(name);
        if (found != null) {
            return new NodeLookup.Found(found);
        }
        return new NodeLookup.Unknown(
                "there is no Node "
                        + Quote.of(name)
                        + " in the snapshot; "
                        + (nodes.isEmpty()
                                ? "it holds no Nodes: print them into it with kubectl get nodes -o yaml"
                                : "it has " + String.join(", ", nodes.keySet())));
    }

    /// Why the snapshot cannot be taken for the whole cluster, if so. Findings about single objects
    /// are no reason: such objects are in the cluster too.
    public Optional<String> gap() {
        if (counts.isEmpty()) {
            return Optional.of("there is no object in them");
        }
        if (findings.stream().anyMatch(Snapshot::isOfTheWhole)) {
            return Optional.of("a part of them cannot be read");
        }
        return servicesWithoutSlices() == 0
                ? Optional.empty()
                : Optional.of(
                        "they hold Services and not a single EndpointSlice; take a full snapshot with "
                                + FULL);
    }

    /// How many Services there are if there is no EndpointSlice at all, and zero otherwise. No
    /// cluster is like that, and every Service would be refused.
    int servicesWithoutSlices() {
        return counts.containsKey(Kind.ENDPOINT_SLICE.title())
                ? 0
                : (int) events.stream().filter(ClusterEvent.ServiceSeen.class::isInstance).count();
    }

    private static boolean isOfTheWhole(Finding finding) {
        return finding.severity() == Finding.Severity.ERROR && finding.object().equals("snapshot");
    }
}
