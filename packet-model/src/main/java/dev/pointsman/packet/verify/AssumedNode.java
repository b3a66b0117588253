package dev.pointsman.packet.verify;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.LocalDetector;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Treatment;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.netfilter.Entry;
import dev.pointsman.packet.netfilter.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A node as routing sees it, as far as the cluster tells: all its addresses are on the uplink,
/// pods of its ranges and endpoints that run here are behind one other interface, everybody else is
/// behind the uplink.
///
/// What the node itself tells of its interfaces and routes counts more, see [#with].
///
/// @param pods name of an interface that pods are behind
/// @param uplink name of an interface that others are behind
/// @param ranges where pods of this node have their addresses
/// @param exceptions endpoints that are not where the ranges say
public record AssumedNode(
        Node node,
        String pods,
        String uplink,
        List<Cidr> ranges,
        Map<IpAddress, Endpoint.Place> exceptions) {
    public AssumedNode {
        ranges = List.copyOf(ranges);
        exceptions = Map.copyOf(exceptions);
    }

    static final String UPLINK = "eth0";
    private static final String ANY_PODS = "cni0";

    /// This network, loopback, link-local, multicast and reserved addresses.
    static final List<Cidr> UNUSABLE =
            Stream.of(
                            "0.0.0.0/8",
                            "127.0.0.0/8",
                            "169.254.0.0/16",
                            "224.0.0.0/3",
                            "::/8",
                            "fe80::/10",
                            "ff00::/8")
                    .map(Cidr::parse)
                    .toList();

    public static AssumedNode of(RuleGraph graph, NodeView view) {
        String pods = podInterface(graph);
        List<Node.Route> routes = new ArrayList<>();
        List<Cidr> own = podRanges(graph, view);
        own.forEach(range -> routes.add(route(range, pods)));
        Map<IpAddress, Endpoint.Place> exceptions = new HashMap<>();
        for (Treatment treatment : graph.frontends().values()) {
            for (Pool pool : treatment.pools()) {
                for (Endpoint endpoint : pool.endpoints()) {
                    if (isException(endpoint, own)) {
                        exceptions.put(endpoint.address(), endpoint.place());
                    }
                }
            }
        }
        exceptions.forEach(
                (address, place) ->
                        routes.add(
                                route(
                                        Cidr.of(address),
                                        switch (place) {
                                            case THIS_NODE -> pods;
                                            case ELSEWHERE -> UPLINK;
                                        })));
        routes.add(route(Cidr.parse("0.0.0.0/0"), UPLINK));
        routes.add(route(Cidr.parse("::/0"), UPLINK));
        List<Node.Address> addresses =
                view.addresses().stream()
                        .map(address -> new Node.Address(address, address.family().bits()))
                        .toList();
        return new AssumedNode(
                new Node(
                        List.of(
                                new Node.Interface(
                                        Node.LOOPBACK,
                                        Node.Side.PODS,
                                        List.of(
                                                new Node.Address(IpAddress.parse("127.0.0.1"), 8),
                                                new Node.Address(IpAddress.parse("::1"), 128))),
                                new Node.Interface(UPLINK, Node.Side.UPLINK, addresses),
                                new Node.Interface(pods, Node.Side.PODS, List.of())),
                        routes,
                        Node.Forwarding.ON,
                        localnet(graph)),
                pods,
                UPLINK,
                own,
                exceptions);
    }

    /// The same cluster on a node with these interfaces and routes. A node may have a route for
    /// each of its pods, and none for addresses that pods could have: those are behind one of the
    /// pods' interfaces.
    ///
    /// @param routes of the graph's family at least
    public AssumedNode with(List<Node.Interface> interfaces, List<Node.Route> routes) {
        Node known = new Node(interfaces, routes, node.forwarding(), node.localnet());
        String others = named(known, Node.Side.UPLINK).orElse(uplink);
        String own =
                ranges.stream()
                        .flatMap(range -> known.deviceTo(range.last()).stream())
                        .filter(device -> known.has(device, Node.Side.PODS))
                        .findFirst()
                        .or(() -> named(known, Node.Side.PODS))
                        .orElse(others);
        List<Node.Route> all = new ArrayList<>(routes);
        all.removeIf(this::closesOwnRange);
        ranges.forEach(range -> all.add(route(range, own)));
        return new AssumedNode(
                new Node(interfaces, all, node.forwarding(), node.localnet()),
                own,
                others,
                ranges,
                exceptions);
    }

    private boolean closesOwnRange(Node.Route route) {
        return route.hop() instanceof Node.NextHop.Nowhere
                && ranges.stream().anyMatch(range -> range.contains(route.destination()));
    }

    private static Optional<String> named(Node node, Node.Side side) {
        return node.interfaces().stream()
                .filter(device -> device.side() == side)
                .map(Node.Interface::name)
                .filter(name -> !name.equals(Node.LOOPBACK))
                .findFirst();
    }

    /// The same node with these settings.
    public AssumedNode with(Node.Forwarding forwarding, Node.Localnet localnet) {
        return new AssumedNode(
                new Node(node.interfaces(), node.routes(), forwarding, localnet),
                pods,
                uplink,
                ranges,
                exceptions);
    }

    /// The same node, which has these addresses as well.
    AssumedNode bearing(Collection<IpAddress> addresses) {
        return new AssumedNode(node.bearing(addresses), pods, uplink, ranges, exceptions);
    }

    /// The same node, which routes `flow`'s source to where it is said to be.
    public AssumedNode sending(Flow flow) {
        return switch (flow.origin()) {
            case POD -> routing(flow.source(), pods, Node.Side.PODS);
            case OUTSIDE -> routing(flow.source(), uplink, Node.Side.UPLINK);
            case HOST -> this;
        };
    }

    private AssumedNode routing(IpAddress source, String device, Node.Side side) {
        if (node.deviceTo(source).filter(known -> node.has(known, side)).isPresent()) {
            return this;
        }
        List<Node.Route> routes = new ArrayList<>(node.routes());
        routes.addFirst(route(Cidr.of(source), device));
        return new AssumedNode(
                new Node(node.interfaces(), routes, node.forwarding(), node.localnet()),
                pods,
                uplink,
                ranges,
                exceptions);
    }

    /// Where pods of this node have their addresses. A Node without ranges of its own leaves only
    /// what the detector takes for local.
    static List<Cidr> podRanges(RuleGraph graph, NodeView view) {
        List<Cidr> own =
                view.podRanges().stream().filter(r -> r.family() == graph.family()).toList();
        return own.isEmpty()
                        && graph.node() instanceof NodeRules.Programmed programmed
                        && programmed.detector() instanceof LocalDetector.Range(Cidr range)
                ? List.of(range)
                : own;
    }

    private static boolean isException(Endpoint endpoint, List<Cidr> own) {
        boolean within = own.stream().anyMatch(range -> range.contains(endpoint.address()));
        return switch (endpoint.place()) {
            case THIS_NODE -> !within;
            case ELSEWHERE -> within;
        };
    }

    private static Node.Route route(Cidr destination, String device) {
        return new Node.Route(destination, new Node.NextHop.Direct(device));
    }

    /// Whoever is to serve node ports on loopback lets its packets be routed.
    private static Node.Localnet localnet(RuleGraph graph) {
        return graph.node() instanceof NodeRules.Programmed programmed
                ? switch (programmed.loopback()) {
                    case ANSWERS -> Node.Localnet.ROUTED;
                    case SILENT -> Node.Localnet.CONFINED;
                }
                : Node.Localnet.CONFINED;
    }

    private static String podInterface(RuleGraph graph) {
        return graph.node() instanceof NodeRules.Programmed programmed
                ? switch (programmed.detector()) {
                    case LocalDetector.Interface(String name) -> name;
                    case LocalDetector.InterfacePrefix(String prefix) -> prefix + "0";
                    case LocalDetector.None _, LocalDetector.Range _ -> ANY_PODS;
                }
                : ANY_PODS;
    }

    /// How packets of `flow` come in.
    Entry entry(Flow flow) {
        return switch (flow.origin()) {
            case HOST -> new Entry.Sent();
            case POD -> Entry.Arriving.by(node.deviceTo(flow.source()).orElse(pods));
            case OUTSIDE -> Entry.Arriving.by(node.deviceTo(flow.source()).orElse(uplink));
        };
    }

    /// Whether packets of `flow` come in by an interface that has the address they are for.
    boolean meetsItsInterface(Flow flow) {
        return entry(flow) instanceof Entry.Arriving(String device, _)
                && node.owns(device, flow.destination());
    }

    private static boolean contains(List<Cidr> ranges, IpAddress address) {
        for (Cidr range : ranges) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /// Where senders with this address are; nobody sends from one that is no host's, nor from one
    /// of a dummy interface, but for the node to that address itself.
    public Optional<Flow.Origin> origin(IpAddress source) {
        if (contains(UNUSABLE, source) || node.isHidden(source)) {
            return Optional.empty();
        }
        if (node.owns(source)) {
            return Optional.of(Flow.Origin.HOST);
        }
        Endpoint.Place exception = exceptions.get(source);
        boolean here =
                exception == null
                        ? contains(ranges, source)
                        : exception == Endpoint.Place.THIS_NODE;
        return Optional.of(here ? Flow.Origin.POD : Flow.Origin.OUTSIDE);
    }
}
