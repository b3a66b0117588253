package dev.pointsman.graph;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

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

    private RuleGraph(
            Family family,
            NodeRules node,
            PSortedMap<Frontend, Treatment> frontends,
            PSortedMap<ServiceName, HealthCheck> healthChecks,
            HashPMap<Shape, Integer> shapes,
            HashPMap<IpAddress, Integer> localEndpoints) {
        this.family = family;
        this.node = node;
        this.frontends = frontends;
        this.healthChecks = healthChecks;
        this.shapes = shapes;
        this.localEndpoints = localEndpoints;
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
                HashTreePMap.empty());
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

    /// Whether some Frontend is a cluster IP with this address.
    public boolean hasClusterIp(IpAddress address) {
        Frontend first = new Frontend.Address(address, Protocol.TCP, 0);
        Frontend last = new Frontend.Address(address, Protocol.SCTP, 65536);
        for (Treatment treatment : frontends.subMap(first, last).values()) {
            if (treatment.kind() == Treatment.Kind.CLUSTER_IP) {
                return true;
            }
        }
        return false;
    }

    /// This graph with other rules for the whole node.
    public RuleGraph with(NodeRules other) {
        return new RuleGraph(family, other, frontends, healthChecks, shapes, localEndpoints);
    }

    /// This graph with `frontend` treated so.
    public RuleGraph with(Frontend frontend, Treatment treatment) {
        Treatment before = frontends.get(frontend);
        HashPMap<Shape, Integer> newShapes = shapes;
        HashPMap<IpAddress, Integer> newLocal = localEndpoints;
        if (before != null) {
            newShapes = less(newShapes, Shape.of(frontend, before));
            newLocal = less(newLocal, localAddresses(before));
        }
        newShapes = more(newShapes, Shape.of(frontend, treatment));
        newLocal = more(newLocal, localAddresses(treatment));
        return new RuleGraph(
                family,
                node,
                frontends.plus(frontend, treatment),
                healthChecks,
                newShapes,
                newLocal);
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
                less(localEndpoints, localAddresses(before)));
    }

    /// This graph with a health-check node port for `service`.
    public RuleGraph with(ServiceName service, HealthCheck check) {
        return new RuleGraph(
                family, node, frontends, healthChecks.plus(service, check), shapes, localEndpoints);
    }

    /// This graph without a health-check node port for `service`.
    public RuleGraph withoutHealthCheck(ServiceName service) {
        return new RuleGraph(
                family, node, frontends, healthChecks.minus(service), shapes, localEndpoints);
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
