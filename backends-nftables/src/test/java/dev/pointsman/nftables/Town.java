package dev.pointsman.nftables;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.TrafficPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// A small cluster for hand-made graphs: node `here` has pods in 10.1.0.0/24, other nodes in the
/// rest of 10.1.0.0/16; likewise in IPv6.
final class Town {

    /// What a Service of the town has beyond a cluster IP.
    enum Trait {
        NODE_PORT,
        EXTERNAL_IP,
        LOAD_BALANCER,
        EXTERNAL_LOCAL,
        INTERNAL_LOCAL,
        STICKY,
        RANGED
    }

    private final Family family;

    Town(Family family) {
        this.family = family;
    }

    NodeView node() {
        return new NodeView(
                "here",
                "",
                List.of(ip("192.168.0.2", "fd00:1::2")),
                List.of(cidr("10.1.0.0/24", "fd00:a:0:1::/64")));
    }

    Settings settings() {
        return Settings.nftablesDefaults()
                .withDetectLocal(
                        new Settings.DetectLocal.ClusterRanges(
                                List.of(cidr("10.1.0.0/16", "fd00:a::/48"))))
                .withServiceRanges(List.of(cidr("10.96.0.0/12", "fd00:96::/108")));
    }

    RuleGraph graph(ServiceState... services) {
        return graph(settings(), services);
    }

    RuleGraph graph(Settings settings, ServiceState... services) {
        Planner planner = planner(settings);
        planner.plan(List.of(services));
        return planner.graph();
    }

    Planner planner(Settings settings) {
        return new Planner(family, node(), settings);
    }

    /// A TCP Service on port 80 with these endpoints: positive ones on this node, negative ones
    /// elsewhere.
    ServiceState service(int number, Set<Trait> traits, int... endpoints) {
        ServiceName name = new ServiceName("shop", "s" + number);
        Service service =
                new Service(
                        name,
                        Instant.EPOCH,
                        traits.contains(Trait.LOAD_BALANCER)
                                ? Service.Type.LOAD_BALANCER
                                : Service.Type.NODE_PORT,
                        new Service.Addresses(
                                List.of(ip("10.96.0." + number, "fd00:96::" + number)),
                                traits.contains(Trait.EXTERNAL_IP)
                                        ? List.of(
                                                ip("198.51.100." + number, "2001:db8:1::" + number))
                                        : List.of(),
                                traits.contains(Trait.LOAD_BALANCER)
                                        ? List.of(
                                                ip("203.0.113." + number, "2001:db8:2::" + number))
                                        : List.of()),
                        traits.contains(Trait.RANGED)
                                ? List.of(
                                        cidr("192.0.2.0/24", "2001:db8:3::/48"),
                                        cidr("192.0.2.7/32", "2001:db8:3::7/128"),
                                        cidr("192.168.0.0/17", "fd00:1::/33"))
                                : List.of(),
                        traits.contains(Trait.INTERNAL_LOCAL)
                                ? TrafficPolicy.LOCAL
                                : TrafficPolicy.CLUSTER,
                        traits.contains(Trait.EXTERNAL_LOCAL)
                                ? TrafficPolicy.LOCAL
                                : TrafficPolicy.CLUSTER,
                        traits.contains(Trait.STICKY)
                                ? new Affinity.ClientIp(10800)
                                : new Affinity.None(),
                        0,
                        List.of(
                                new Service.Port(
                                        "http",
                                        Protocol.TCP,
                                        80,
                                        traits.contains(Trait.NODE_PORT) ? 30000 + number : 0)),
                        "");
        List<EndpointSlice.Entry> entries = new ArrayList<>();
        for (int endpoint : endpoints) {
            entries.add(
                    new EndpointSlice.Entry(
                            endpoint > 0
                                    ? ip("10.1.0." + endpoint, "fd00:a:0:1::" + endpoint)
                                    : ip("10.1.7." + -endpoint, "fd00:a:0:7::" + -endpoint),
                            endpoint > 0 ? "here" : "there",
                            EndpointSlice.Conditions.READY,
                            EndpointSlice.Hints.NONE));
        }
        return new ServiceState.Present(
                service,
                List.of(
                        new EndpointSlice(
                                name.name() + "-x",
                                name,
                                family,
                                List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
                                entries)));
    }

    static Set<Trait> traits(Trait... traits) {
        Set<Trait> set = EnumSet.noneOf(Trait.class);
        set.addAll(List.of(traits));
        return set;
    }

    /// One graph for each thing that rules can say.
    Map<String, RuleGraph> graphs() {
        Settings base = settings();
        Map<String, RuleGraph> graphs = new TreeMap<>();
        graphs.put("empty", graph());
        graphs.put("cluster-ip", graph(service(1, traits(), 1, -1), service(2, traits(), -2)));
        graphs.put("no-endpoints", graph(service(1, traits(Trait.NODE_PORT, Trait.LOAD_BALANCER))));
        graphs.put(
                "external-cluster",
                graph(
                        service(
                                1,
                                traits(Trait.NODE_PORT, Trait.EXTERNAL_IP, Trait.LOAD_BALANCER),
                                1,
                                -1)));
        graphs.put(
                "external-local",
                graph(
                        service(
                                1,
                                traits(Trait.NODE_PORT, Trait.LOAD_BALANCER, Trait.EXTERNAL_LOCAL),
                                1,
                                2,
                                -1)));
        graphs.put(
                "external-local-elsewhere",
                graph(
                        service(
                                1,
                                traits(Trait.NODE_PORT, Trait.LOAD_BALANCER, Trait.EXTERNAL_LOCAL),
                                -1)));
        graphs.put(
                "internal-local",
                graph(
                        service(1, traits(Trait.INTERNAL_LOCAL), 1, -1),
                        service(2, traits(Trait.INTERNAL_LOCAL), -1)));
        graphs.put(
                "source-ranges",
                graph(service(1, traits(Trait.LOAD_BALANCER, Trait.RANGED), 1, -1)));
        graphs.put("affinity", graph(service(1, traits(Trait.NODE_PORT, Trait.STICKY), 1, -1)));
        graphs.put(
                "affinity-local",
                graph(
                        service(
                                1,
                                traits(
                                        Trait.NODE_PORT,
                                        Trait.LOAD_BALANCER,
                                        Trait.EXTERNAL_LOCAL,
                                        Trait.STICKY),
                                1,
                                -1)));
        graphs.put(
                "no-detector",
                graph(
                        base.withDetectLocal(new Settings.DetectLocal.ClusterRanges(List.of())),
                        service(1, traits(Trait.NODE_PORT, Trait.EXTERNAL_LOCAL), 1, -1)));
        graphs.put(
                "bridge-detector",
                graph(
                        base.withDetectLocal(new Settings.DetectLocal.BridgeInterface("cbr0")),
                        service(1, traits(), 1)));
        graphs.put(
                "prefix-detector-and-all-else",
                graph(
                        new Settings(
                                new Settings.DetectLocal.InterfacePrefix("cali"),
                                31,
                                Settings.MasqueradeScope.ALL,
                                List.of(
                                        new Settings.NodePortRange.Range(
                                                cidr("192.168.0.0/17", "fd00:1::/61")),
                                        new Settings.NodePortRange.Range(
                                                cidr("0.0.0.0/1", "::/1"))),
                                Settings.ClusterIpGuard.OFF,
                                Settings.ExternalIps.ALLOWED,
                                List.of(),
                                IpvsSettings.DEFAULTS),
                        service(1, traits(Trait.NODE_PORT), 1)));
        graphs.put(
                "every-node-address",
                graph(
                        new Settings(
                                new Settings.DetectLocal.NodeRanges(),
                                14,
                                Settings.MasqueradeScope.NOT_FROM_PODS,
                                List.of(new Settings.NodePortRange.All()),
                                Settings.ClusterIpGuard.ON,
                                Settings.ExternalIps.ALLOWED,
                                List.of(),
                                IpvsSettings.DEFAULTS),
                        service(1, traits(Trait.NODE_PORT), 1)));
        return graphs;
    }

    private IpAddress ip(String ipv4, String ipv6) {
        return IpAddress.parse(family == Family.IPV4 ? ipv4 : ipv6);
    }

    private Cidr cidr(String ipv4, String ipv6) {
        return Cidr.parse(family == Family.IPV4 ? ipv4 : ipv6);
    }
}
