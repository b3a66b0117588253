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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A node as routing sees it, as far as the cluster tells: all its addresses are on the uplink,
/// pods of its ranges and endpoints that run here are behind one other interface, everybody else is
/// behind the uplink.
///
/// @param pods name of the interface that pods are behind
/// @param ranges where pods of this node have their addresses
/// @param exceptions endpoints that are not where the ranges say
public record AssumedNode(
        Node node, String pods, List<Cidr> ranges, Map<IpAddress, Endpoint.Place> exceptions) {
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
        return of(graph, view, List.of());
    }

    /// A node that routes `flow`'s source to where it is said to be.
    public static AssumedNode of(RuleGraph graph, NodeView view, Flow flow) {
        String pods = podInterface(graph);
        return of(
                graph,
                view,
                switch (flow.origin()) {
                    case POD -> List.of(route(Cidr.of(flow.source()), pods));
                    case OUTSIDE -> List.of(route(Cidr.of(flow.source()), UPLINK));
                    case HOST -> List.of();
                });
    }

    private static AssumedNode of(RuleGraph graph, NodeView view, List<Node.Route> first) {
        String pods = podInterface(graph);
        List<Node.Route> routes = new ArrayList<>(first);
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
                own,
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

    /// How packets of a sender at `origin` come in.
    Entry entry(Flow.Origin origin) {
        return switch (origin) {
            case POD -> Entry.Arriving.by(pods);
            case HOST -> new Entry.Sent();
            case OUTSIDE -> Entry.Arriving.by(UPLINK);
        };
    }

    private static boolean contains(List<Cidr> ranges, IpAddress address) {
        for (Cidr range : ranges) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /// Where senders with this address are; nobody sends from one that is no host's.
    public Optional<Flow.Origin> origin(IpAddress source) {
        if (contains(UNUSABLE, source)) {
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
