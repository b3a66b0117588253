package dev.pointsman.graph;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/// Random Services, histories and graphs.
///
/// They come from few names, addresses and ports, so that Services claim the same Frontends,
/// endpoints leave and return, and pools change their size. All are dual stack; a graph is that of
/// one family. An address is always on the same node, as in a cluster.
public final class Graphs {
    private static final String THIS_NODE = "this-node";

    /// A graph with what a [Planner] said comes next.
    ///
    /// @param delta leads from `before` to `after` and keeps the slots of endpoints that stay
    public record Transition(RuleGraph before, Delta delta, RuleGraph after) {}

    private record Lines(NodeView node, Settings settings, List<ServiceState> events, int cut) {}

    private Graphs() {}

    /// Graphs of `family`, from empty ones to those of a dozen Services.
    public static Arbitrary<RuleGraph> graphs(Family family) {
        return transitions(family).map(Transition::after);
    }

    /// Two graphs of one history, a few events apart.
    public static Arbitrary<Transition> transitions(Family family) {
        Arbitrary<List<ServiceState>> histories = events().list().ofMaxSize(14);
        return Combinators.combine(
                        nodes(), settings(), histories, Arbitraries.integers().between(0, 14))
                .as(Lines::new)
                .map(lines -> transition(family, lines));
    }

    private static Transition transition(Family family, Lines lines) {
        Planner planner = new Planner(family, lines.node(), lines.settings());
        int cut = Math.min(lines.cut(), lines.events().size());
        if (cut > 0) {
            planner.plan(lines.events().subList(0, cut));
        }
        RuleGraph before = planner.graph();
        Delta delta = planner.plan(lines.events().subList(cut, lines.events().size()));
        return new Transition(before, delta, planner.graph());
    }

    /// What the cluster may say about one Service at one moment; one in five is its removal.
    public static Arbitrary<ServiceState> events() {
        Arbitrary<ServiceState> present = services().map(s -> s);
        return Arbitraries.frequencyOf(
                Tuple.of(4, present), Tuple.of(1, names().map(ServiceState.Absent::new)));
    }

    /// The last word of `events` on every Service, in the order in which the names came up.
    public static List<ServiceState> latest(List<ServiceState> events) {
        Map<ServiceName, ServiceState> latest = new LinkedHashMap<>();
        events.forEach(event -> latest.put(event.name(), event));
        return List.copyOf(latest.values());
    }

    public static Arbitrary<ServiceState.Present> services() {
        Arbitrary<Service> services =
                Combinators.combine(
                                names(),
                                Arbitraries.of(Service.Type.class),
                                serviceAddresses(),
                                sourceRanges(),
                                policies(),
                                affinities(),
                                Arbitraries.of(0, 10000, 10001),
                                ports())
                        .as(
                                (name, type, addresses, ranges, policies, affinity, check, ports) ->
                                        new Service(
                                                name,
                                                created(name, check),
                                                type,
                                                addresses,
                                                ranges,
                                                policies.getFirst(),
                                                policies.getLast(),
                                                affinity,
                                                check,
                                                ports,
                                                ""));
        return Combinators.combine(services, slices().list().ofMaxSize(3))
                .as(
                        (service, slices) -> {
                            List<EndpointSlice> owned = new ArrayList<>();
                            for (EndpointSlice slice : slices) {
                                owned.add(
                                        new EndpointSlice(
                                                "slice-" + owned.size(),
                                                service.name(),
                                                slice.family(),
                                                slice.ports(),
                                                slice.entries()));
                            }
                            return new ServiceState.Present(service, owned);
                        });
    }

    // A Service that changes was created once. Some are as old as others, so that names decide.
    private static Instant created(ServiceName name, int salt) {
        return Instant.ofEpochSecond(Math.floorMod(name.name().hashCode() + salt, 3));
    }

    public static Arbitrary<NodeView> nodes() {
        return Arbitraries.of("za", "zb", "")
                .map(
                        zone ->
                                new NodeView(
                                        THIS_NODE,
                                        zone,
                                        addresses(
                                                "192.168.0.2",
                                                "192.168.1.2",
                                                "fd00:192::2",
                                                "fd00:192:1::2"),
                                        List.of(
                                                Cidr.parse("10.180.0.0/24"),
                                                Cidr.parse("fd00:10:180::/64"))));
    }

    public static Arbitrary<Settings> settings() {
        Arbitrary<Settings.DetectLocal> detectors =
                Arbitraries.of(
                        new Settings.DetectLocal.ClusterRanges(
                                List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("fd00:10::/32"))),
                        new Settings.DetectLocal.ClusterRanges(List.of()),
                        new Settings.DetectLocal.NodeRanges(),
                        new Settings.DetectLocal.BridgeInterface("cni0"),
                        new Settings.DetectLocal.InterfacePrefix("veth"));
        Arbitrary<List<Settings.NodePortRange>> nodePorts =
                Arbitraries.of(
                        List.of(new Settings.NodePortRange.Primary()),
                        List.of(new Settings.NodePortRange.All()),
                        List.of(
                                new Settings.NodePortRange.Primary(),
                                new Settings.NodePortRange.Range(Cidr.parse("192.168.1.0/24"))));
        return Combinators.combine(
                        detectors,
                        Arbitraries.of(14, 14, 0, 31),
                        Arbitraries.of(Settings.MasqueradeScope.class),
                        nodePorts,
                        Arbitraries.of(Settings.ClusterIpGuard.class),
                        Arbitraries.of(Settings.ExternalIps.class))
                .as(
                        (detector, bit, masquerade, addresses, guard, externalIps) ->
                                new Settings(
                                        detector,
                                        bit,
                                        masquerade,
                                        addresses,
                                        guard,
                                        externalIps,
                                        List.of(
                                                Cidr.parse("172.30.0.0/16"),
                                                Cidr.parse("fd00:172:30::/112")),
                                        IpvsSettings.DEFAULTS));
    }

    private static Arbitrary<ServiceName> names() {
        return Arbitraries.of("ns1/a", "ns1/b", "ns1/c", "ns2/a", "ns2/b", "ns2/d")
                .map(
                        text ->
                                new ServiceName(
                                        text.substring(0, text.indexOf('/')),
                                        text.substring(text.indexOf('/') + 1)));
    }

    private static Arbitrary<Service.Addresses> serviceAddresses() {
        Arbitrary<List<IpAddress>> cluster =
                Arbitraries.integers()
                        .between(1, 8)
                        .flatMap(
                                i ->
                                        Arbitraries.of(
                                                addresses("172.30.0." + i, "fd00:172:30::" + i),
                                                addresses("172.30.0." + i),
                                                addresses("fd00:172:30::" + i)));
        Arbitrary<List<IpAddress>> external =
                Arbitraries.of(
                                addresses(
                                        "192.168.99.1",
                                        "192.168.99.2",
                                        "172.30.0.1",
                                        "1.2.3.1",
                                        "192.168.0.2",
                                        "fd00:99::1",
                                        "fd00:172:30::1"))
                        .list()
                        .uniqueElements()
                        .ofMaxSize(3);
        Arbitrary<List<IpAddress>> loadBalancer =
                Arbitraries.of(addresses("1.2.3.1", "1.2.3.2", "fd00:123::1", "fd00:123::2"))
                        .list()
                        .uniqueElements()
                        .ofMaxSize(2);
        return Combinators.combine(cluster, external, loadBalancer).as(Service.Addresses::new);
    }

    private static Arbitrary<List<Cidr>> sourceRanges() {
        Arbitrary<List<Cidr>> some =
                Arbitraries.of(
                                Cidr.parse("203.0.113.0/24"),
                                Cidr.parse("203.0.113.0/25"),
                                Cidr.parse("192.168.0.0/24"),
                                Cidr.parse("0.0.0.0/0"),
                                Cidr.parse("fd00:203::/64"),
                                Cidr.parse("fd00:203::/65"))
                        .list()
                        .ofMaxSize(4);
        return Arbitraries.oneOf(Arbitraries.just(List.of()), some);
    }

    private static Arbitrary<List<TrafficPolicy>> policies() {
        return Arbitraries.of(TrafficPolicy.class).list().ofSize(2);
    }

    private static Arbitrary<Affinity> affinities() {
        return Arbitraries.of(
                new Affinity.None(),
                new Affinity.None(),
                new Affinity.ClientIp(10800),
                new Affinity.ClientIp(60));
    }

    private static Arbitrary<List<Service.Port>> ports() {
        return Combinators.combine(
                        Arbitraries.of("", "http", "dns"),
                        Arbitraries.of(Protocol.class),
                        Arbitraries.of(80, 53, 443),
                        Arbitraries.of(0, 0, 3001, 3002, 3003))
                .as(Service.Port::new)
                .list()
                .uniqueElements(Service.Port::name)
                .ofMinSize(1)
                .ofMaxSize(3);
    }

    private static Arbitrary<EndpointSlice> slices() {
        Arbitrary<List<EndpointSlice.Port>> ports =
                Combinators.combine(
                                Arbitraries.of("", "http", "dns"),
                                Arbitraries.of(Protocol.class),
                                Arbitraries.of(8080, 5353))
                        .as(EndpointSlice.Port::new)
                        .list()
                        .ofMinSize(1)
                        .ofMaxSize(5);
        return Arbitraries.of(Family.class)
                .flatMap(
                        family ->
                                Combinators.combine(ports, entries(family).list().ofMaxSize(5))
                                        .as(
                                                (some, entries) ->
                                                        new EndpointSlice(
                                                                "unnamed",
                                                                new ServiceName("none", "none"),
                                                                family,
                                                                some,
                                                                entries)));
    }

    private static Arbitrary<EndpointSlice.Entry> entries(Family family) {
        Arbitrary<EndpointSlice.Conditions> conditions =
                Arbitraries.of(
                        EndpointSlice.Conditions.READY,
                        EndpointSlice.Conditions.READY,
                        EndpointSlice.Conditions.READY,
                        new EndpointSlice.Conditions(false, true, true),
                        new EndpointSlice.Conditions(false, false, true),
                        new EndpointSlice.Conditions(false, false, false));
        return Combinators.combine(
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.integers().between(1, 5),
                        conditions,
                        hints())
                .as(
                        (node, pod, condition, hint) ->
                                new EndpointSlice.Entry(
                                        podAddress(family, node, pod),
                                        node == 0 ? THIS_NODE : "node-" + node,
                                        condition,
                                        hint));
    }

    /// Address of a pod; pods number 5 use the network of their node.
    private static IpAddress podAddress(Family family, int node, int pod) {
        return IpAddress.parse(
                switch (family) {
                    case IPV4 ->
                            pod == 5 ? "192.168.0." + (2 + node) : "10.180." + node + "." + pod;
                    case IPV6 ->
                            pod == 5
                                    ? "fd00:192::" + (2 + node)
                                    : "fd00:10:180:" + node + "::" + pod;
                });
    }

    private static Arbitrary<EndpointSlice.Hints> hints() {
        return Arbitraries.of(
                EndpointSlice.Hints.NONE,
                EndpointSlice.Hints.NONE,
                new EndpointSlice.Hints(words("za"), words()),
                new EndpointSlice.Hints(words("zb"), words()),
                new EndpointSlice.Hints(words("za", "zb"), words(THIS_NODE)));
    }

    private static SortedSet<String> words(String... words) {
        return new TreeSet<>(List.of(words));
    }

    private static List<IpAddress> addresses(String... texts) {
        List<IpAddress> addresses = new ArrayList<>();
        for (String text : texts) {
            addresses.add(IpAddress.parse(text));
        }
        return addresses;
    }
}
