package dev.pointsman.graph;

import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/// What this node must do with packets for Service addresses, in one family. Immutable; a change
/// makes a new graph that shares what did not change, in time logarithmic in the size of the graph.
public final class RuleGraph {
    private final Family family;
    private final NodeRules node;
    private final PSortedMap<Frontend, Treatment> frontends;
    private final PSortedMap<ServiceName, HealthCheck> healthChecks;

    // Derived from frontends, and kept because a backend must know when the last user of something
    // goes
    // without asking all Frontends.
    private final HashPMap<Shape, Integer> shapes;
    private final HashPMap<IpAddress, Integer> localEndpoints;
    private final HashPMap<ServicePortName, TreePSet<Frontend>> owned;
    private final PSortedMap<Frontend, Treatment> restricted;
    private final PSortedMap<Frontend, Treatment> forked;

    private RuleGraph(
            Family family,
            NodeRules node,
            PSortedMap<Frontend, Treatment> frontends,
            PSortedMap<ServiceName, HealthCheck> healthChecks,
            HashPMap<Shape, Integer> shapes,
            HashPMap<IpAddress, Integer> localEndpoints,
            HashPMap<ServicePortName, TreePSet<Frontend>> owned,
            PSortedMap<Frontend, Treatment> restricted,
            PSortedMap<Frontend, Treatment> forked) {
        this.family = family;
        this.node = node;
        this.frontends = frontends;
        this.healthChecks = healthChecks;
        this.shapes = shapes;
        this.localEndpoints = localEndpoints;
        this.owned = owned;
        this.restricted = restricted;
        this.forked = forked;
    }

    /// The graph of a node on which nothing is programmed.
    public static RuleGraph nothing(Family family) {
        return empty(family, new NodeRules.None());
    }

    /// A graph without Services.
    public static RuleGraph empty(Family family, NodeRules node) {
        return new RuleGraph(
                family,
                node,
                TreePMap.empty(),
                TreePMap.empty(),
                HashTreePMap.empty(),
                HashTreePMap.empty(),
                HashTreePMap.empty(),
                TreePMap.empty(),
                TreePMap.empty());
    }

    public Family family() {
        return family;
    }

    public NodeRules node() {
        return node;
    }

    public SortedMap<Frontend, Treatment> frontends() {
        return frontends;
    }

    public SortedMap<ServiceName, HealthCheck> healthChecks() {
        return healthChecks;
    }

    /// Every shape in use, with the number of Frontends that have it.
    public Map<Shape, Integer> shapes() {
        return shapes;
    }

    /// Whether some Frontend leads to an endpoint with this address that runs on this node.
    public boolean hasLocalEndpoint(IpAddress address) {
        return localEndpoints.containsKey(address);
    }

    /// The addresses of all endpoints in use that run on this node, in no particular order.
    public Set<IpAddress> localEndpoints() {
        return localEndpoints.keySet();
    }

    /// The Frontends of `owner`, none if it has none.
    public SortedSet<Frontend> frontendsOf(ServicePortName owner) {
        TreePSet<Frontend> known = owned.get(owner);
        return known == null ? Collections.emptySortedSet() : known;
    }

    /// The Frontends at which some packet is refused, dropped or let through by its source only.
    public SortedMap<Frontend, Treatment> restricted() {
        return restricted;
    }

    /// The Frontends at which pods of this node are led elsewhere than clients outside.
    public SortedMap<Frontend, Treatment> forked() {
        return forked;
    }

    /// The owners of Frontends with client affinity, in no particular order. Looks at all of them.
    public Set<ServicePortName> stickyPorts() {
        Set<ServicePortName> owners = new HashSet<>();
        for (Treatment treatment : frontends.values()) {
            if (isSticky(treatment)) {
                owners.add(treatment.owner());
            }
        }
        return owners;
    }

    /// The Frontends of `owner` that have client affinity. They share what they remember of
    /// clients.
    public SortedSet<Frontend> stickyFrontends(ServicePortName owner) {
        SortedSet<Frontend> sticky = new TreeSet<>();
        for (Frontend frontend : frontendsOf(owner)) {
            Treatment treatment = frontends.get(frontend);
            if (treatment != null && isSticky(treatment)) {
                sticky.add(frontend);
            }
        }
        return Collections.unmodifiableSortedSet(sticky);
    }

    private static boolean isSticky(Treatment treatment) {
        return switch (treatment.affinity()) {
            case Affinity.None _ -> false;
            case Affinity.ClientIp _ -> true;
        };
    }

    /// Whether some Frontend has this address.
    public boolean hasAddress(IpAddress address) {
        return !frontendsAt(address).isEmpty();
    }

    /// Whether some Frontend is a cluster IP with this address.
    public boolean hasClusterIp(IpAddress address) {
        for (Treatment treatment : frontendsAt(address).values()) {
            if (treatment.kind() == Treatment.Kind.CLUSTER_IP) {
                return true;
            }
        }
        return false;
    }

    /// The Frontends that have this address.
    public SortedMap<Frontend, Treatment> frontendsAt(IpAddress address) {
        return frontends.subMap(
                new Frontend.Address(address, Protocol.TCP, 0),
                new Frontend.Address(address, Protocol.SCTP, 65536));
    }

    /// This graph with other rules for the whole node.
    public RuleGraph with(NodeRules other) {
        return new RuleGraph(
                family,
                other,
                frontends,
                healthChecks,
                shapes,
                localEndpoints,
                owned,
                restricted,
                forked);
    }

    /// This graph with `frontend` treated so.
    public RuleGraph with(Frontend frontend, Treatment treatment) {
        Treatment before = frontends.get(frontend);
        HashPMap<Shape, Integer> newShapes = shapes;
        HashPMap<IpAddress, Integer> newLocal = localEndpoints;
        HashPMap<ServicePortName, TreePSet<Frontend>> newOwned = owned;
        if (before != null) {
            newShapes = less(newShapes, Shape.of(frontend, before));
            newLocal = less(newLocal, localAddresses(before));
            newOwned = less(newOwned, frontend, before);
        }
        newShapes = more(newShapes, Shape.of(frontend, treatment));
        newLocal = more(newLocal, localAddresses(treatment));
        newOwned = more(newOwned, frontend, treatment);
        return new RuleGraph(
                family,
                node,
                frontends.plus(frontend, treatment),
                healthChecks,
                newShapes,
                newLocal,
                newOwned,
                treatment.isOpen()
                        ? restricted.minus(frontend)
                        : restricted.plus(frontend, treatment),
                treatment.isForked() ? forked.plus(frontend, treatment) : forked.minus(frontend));
    }

    /// This graph without `frontend`.
    public RuleGraph without(Frontend frontend) {
        Treatment before = frontends.get(frontend);
        if (before == null) {
            return this;
        }
        return new RuleGraph(
                family,
                node,
                frontends.minus(frontend),
                healthChecks,
                less(shapes, Shape.of(frontend, before)),
                less(localEndpoints, localAddresses(before)),
                less(owned, frontend, before),
                restricted.minus(frontend),
                forked.minus(frontend));
    }

    /// This graph with a health-check node port for `service`.
    public RuleGraph with(ServiceName service, HealthCheck check) {
        return new RuleGraph(
                family,
                node,
                frontends,
                healthChecks.plus(service, check),
                shapes,
                localEndpoints,
                owned,
                restricted,
                forked);
    }

    /// This graph without a health-check node port for `service`.
    public RuleGraph withoutHealthCheck(ServiceName service) {
        return new RuleGraph(
                family,
                node,
                frontends,
                healthChecks.minus(service),
                shapes,
                localEndpoints,
                owned,
                restricted,
                forked);
    }

    private static HashPMap<ServicePortName, TreePSet<Frontend>> more(
            HashPMap<ServicePortName, TreePSet<Frontend>> owned,
            Frontend frontend,
            Treatment treatment) {
        TreePSet<Frontend> known = owned.get(treatment.owner());
        TreePSet<Frontend> before = known == null ? TreePSet.empty() : known;
        return owned.plus(treatment.owner(), before.plus(frontend));
    }

    private static HashPMap<ServicePortName, TreePSet<Frontend>> less(
            HashPMap<ServicePortName, TreePSet<Frontend>> owned,
            Frontend frontend,
            Treatment treatment) {
        TreePSet<Frontend> known = owned.get(treatment.owner());
        if (known == null) {
            return owned;
        }
        TreePSet<Frontend> left = known.minus(frontend);
        return left.isEmpty()
                ? owned.minus(treatment.owner())
                : owned.plus(treatment.owner(), left);
    }

    private static Set<IpAddress> localAddresses(Treatment treatment) {
        Set<IpAddress> addresses = new HashSet<>();
        for (Pool pool : treatment.pools()) {
            for (Endpoint endpoint : pool.endpoints()) {
                if (endpoint.place() == Endpoint.Place.THIS_NODE) {
                    addresses.add(endpoint.address());
                }
            }
        }
        return addresses;
    }

    private static <K> HashPMap<K, Integer> more(HashPMap<K, Integer> counts, K key) {
        Integer count = counts.get(key);
        return counts.plus(key, count == null ? 1 : count + 1);
    }

    private static <K> HashPMap<K, Integer> less(HashPMap<K, Integer> counts, K key) {
        Integer count = counts.get(key);
        return count == null || count == 1 ? counts.minus(key) : counts.plus(key, count - 1);
    }

    private static <K> HashPMap<K, Integer> more(HashPMap<K, Integer> counts, Set<K> keys) {
        for (K key : keys) {
            counts = more(counts, key);
        }
        return counts;
    }

    private static <K> HashPMap<K, Integer> less(HashPMap<K, Integer> counts, Set<K> keys) {
        for (K key : keys) {
            counts = less(counts, key);
        }
        return counts;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RuleGraph that
                && family == that.family
                && node.equals(that.node)
                && frontends.equals(that.frontends)
                && healthChecks.equals(that.healthChecks);
    }

    @Override
    public int hashCode() {
        return 31 * frontends.hashCode() + node.hashCode();
    }

    @Override
    public String toString() {
        return "RuleGraph[" + family + ", " + node + ", " + frontends + ", " + healthChecks + "]";
    }
}
