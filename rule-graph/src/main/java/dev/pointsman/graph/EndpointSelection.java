package dev.pointsman.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/// The endpoints of one ServicePort that this node may use (behaviour document 1.4 and 1.6).
///
/// @param cluster for traffic under policy Cluster and for the short circuit
/// @param local for traffic under policy Local
/// @param anywhere whether anybody in the cluster could answer: tells a refusal from a drop
record EndpointSelection(SortedSet<Endpoint> cluster, SortedSet<Endpoint> local, boolean anywhere) {

    /// Which lists a ServicePort can ever use.
    enum Use {
        CLUSTER,
        LOCAL,
        BOTH
    }

    private record AddressPort(IpAddress address, int port) {}

    EndpointSelection {
        cluster = Collections.unmodifiableSortedSet(cluster);
        local = Collections.unmodifiableSortedSet(local);
    }

    static EndpointSelection choose(
            ServicePortName name,
            Family family,
            Collection<EndpointSlice> slices,
            NodeView node,
            Use use) {
        Map<AddressPort, EndpointSlice.Entry> merged = merge(name, family, slices);
        SortedSet<Endpoint> cluster = new TreeSet<>();
        SortedSet<Endpoint> local = new TreeSet<>();
        boolean anywhere = false;
        if (use != Use.LOCAL) {
            Predicate<EndpointSlice.Entry> available = topology(merged.values(), node);
            cluster = pick(merged, node, e -> e.conditions().ready() && available.test(e));
            if (cluster.isEmpty()) {
                cluster = pick(merged, node, e -> e.conditions().draining());
            }
            anywhere = !cluster.isEmpty();
        }
        if (use != Use.CLUSTER) {
            local = pick(merged, node, e -> isLocal(e, node) && e.conditions().ready());
            if (local.isEmpty()) {
                local = pick(merged, node, e -> isLocal(e, node) && e.conditions().draining());
            }
            anywhere |=
                    merged.values().stream()
                            .anyMatch(e -> e.conditions().ready() || e.conditions().draining());
        }
        return new EndpointSelection(cluster, local, anywhere);
    }

    /// All that answer, whatever policy, topology and readiness let new flows go to.
    static SortedSet<Endpoint> answering(
            ServicePortName name, Family family, Collection<EndpointSlice> slices, NodeView node) {
        return pick(
                merge(name, family, slices),
                node,
                e -> e.conditions().ready() || e.conditions().serving());
    }

    /// Distinct addresses of ready endpoints on this node, whatever their port.
    static void collectLocalReady(
            ServicePortName name,
            Family family,
            Collection<EndpointSlice> slices,
            NodeView node,
            Collection<IpAddress> into) {
        merge(name, family, slices)
                .forEach(
                        (at, entry) -> {
                            if (isLocal(entry, node) && entry.conditions().ready()) {
                                into.add(at.address());
                            }
                        });
    }

    /// The union of all slices. Of two entries with one address and port the later one counts,
    /// unless it is the terminating one.
    private static Map<AddressPort, EndpointSlice.Entry> merge(
            ServicePortName name, Family family, Collection<EndpointSlice> slices) {
        Map<AddressPort, EndpointSlice.Entry> merged = new LinkedHashMap<>();
        for (EndpointSlice slice : slices) {
            if (slice.family() != family) {
                continue;
            }
            for (EndpointSlice.Port port : slice.ports()) {
                if (port.protocol() != name.protocol() || !port.name().equals(name.port())) {
                    continue;
                }
                for (EndpointSlice.Entry entry : slice.entries()) {
                    merged.merge(
                            new AddressPort(entry.address(), port.port()),
                            entry,
                            (earlier, later) -> later.conditions().terminating() ? earlier : later);
                }
            }
        }
        return merged;
    }

    /// Only ready endpoints decide whether hints count at all: one without a hint switches them
    /// off.
    private static Predicate<EndpointSlice.Entry> topology(
            Collection<EndpointSlice.Entry> entries, NodeView node) {
        List<EndpointSlice.Entry> ready = new ArrayList<>();
        for (EndpointSlice.Entry entry : entries) {
            if (entry.conditions().ready()) {
                ready.add(entry);
            }
        }
        if (!ready.isEmpty()) {
            if (ready.stream().noneMatch(e -> e.hints().nodes().isEmpty())
                    && ready.stream().anyMatch(e -> e.hints().nodes().contains(node.name()))) {
                return e -> e.hints().nodes().contains(node.name());
            }
            if (!node.zone().isEmpty()
                    && ready.stream().noneMatch(e -> e.hints().zones().isEmpty())
                    && ready.stream().anyMatch(e -> e.hints().zones().contains(node.zone()))) {
                return e -> e.hints().zones().contains(node.zone());
            }
        }
        return _ -> true;
    }

    private static SortedSet<Endpoint> pick(
            Map<AddressPort, EndpointSlice.Entry> entries,
            NodeView node,
            Predicate<EndpointSlice.Entry> wanted) {
        SortedSet<Endpoint> picked = new TreeSet<>();
        entries.forEach(
                (at, entry) -> {
                    if (wanted.test(entry)) {
                        picked.add(
                                new Endpoint(
                                        at.address(),
                                        at.port(),
                                        isLocal(entry, node)
                                                ? Endpoint.Place.THIS_NODE
                                                : Endpoint.Place.ELSEWHERE));
                    }
                });
        return picked;
    }

    private static boolean isLocal(EndpointSlice.Entry entry, NodeView node) {
        return entry.node().equals(node.name());
    }
}
