package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.LocalDetector;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The node of a scenario as routing sees it, and flows and their outcomes as packets and paths:
/// all its pods are behind one interface, everybody else is behind the uplink.
public record ScenarioNode(RuleGraph graph, NodeView view) {
    private static final String UPLINK = "eth0";
    private static final int SOURCE_PORT = 40000;

    /// What becomes of `flow` under `rules`, each outcome with its chance, and what is remembered.
    public record Answer(SortedMap<Outcome, Fraction> outcomes, List<Path> paths) {}

    /// Follows a flow.
    ///
    /// @throws AssertionError when a path is not trustworthy or an answer would get lost
    public Answer answer(Ruleset rules, Flow flow, Memory memory) {
        Packet packet =
                new Packet(
                        flow.source(),
                        flow.destination(),
                        new Transport.Ported(flow.protocol().number(), SOURCE_PORT, flow.port()));
        Entry entry =
                switch (flow.origin()) {
                    case POD -> Entry.Arriving.by(pods());
                    case HOST -> new Entry.Sent();
                    case OUTSIDE -> Entry.Arriving.by(UPLINK);
                };
        Paths paths = new PacketPath(node(flow), rules).follow(packet, entry, memory);
        if (!paths.isTrustworthy()) {
            throw new AssertionError(flow + " met what was not understood: " + paths);
        }
        SortedMap<Outcome, Fraction> outcomes = new TreeMap<>();
        for (Path path : paths.paths()) {
            outcomes.merge(outcome(path, flow), path.probability(), Fraction::plus);
        }
        return new Answer(outcomes, paths.paths());
    }

    /// What both ends get to see.
    public static Outcome outcome(Path path, Flow flow) {
        if (path.reply() == Path.Reply.LOST) {
            throw new AssertionError("the answer gets lost: " + path);
        }
        return switch (path.fate()) {
            case Fate.Received(var packet) -> delivered(path, packet, flow);
            case Fate.Left(_, var packet) -> delivered(path, packet, flow);
            case Fate.Dropped _ -> new Outcome.Dropped();
            case Fate.Rejected _ -> new Outcome.Rejected();
        };
    }

    private static Outcome delivered(Path path, Packet packet, Flow flow) {
        if (path.isUntouched()) {
            return new Outcome.Untouched();
        }
        boolean kept = packet.source().equals(flow.source()) && flow.origin() != Flow.Origin.HOST;
        return new Outcome.Delivered(
                packet.destination(),
                packet.destinationPort(),
                kept ? Outcome.Source.KEPT : Outcome.Source.NODE);
    }

    private String pods() {
        return graph.node() instanceof NodeRules.Programmed programmed
                ? switch (programmed.detector()) {
                    case LocalDetector.Interface(String name) -> name;
                    case LocalDetector.InterfacePrefix(String prefix) -> prefix + "0";
                    case LocalDetector.None _, LocalDetector.Range _ -> "cni0";
                }
                : "cni0";
    }

    private Node node(Flow flow) {
        List<Node.Address> own = new ArrayList<>();
        for (IpAddress address : view.addresses()) {
            own.add(new Node.Address(address, address.family().bits()));
        }
        List<Node.Route> routes = new ArrayList<>();
        for (Cidr range : view.podRanges()) {
            routes.add(toPods(range));
        }
        graph.frontends()
                .values()
                .forEach(
                        treatment ->
                                treatment.pools().stream()
                                        .flatMap(pool -> pool.endpoints().stream())
                                        .forEach(endpoint -> routes.add(route(endpoint))));
        switch (flow.origin()) {
            case POD -> routes.addFirst(toPods(Cidr.of(flow.source())));
            case OUTSIDE -> routes.addFirst(toUplink(Cidr.of(flow.source())));
            case HOST -> {}
        }
        routes.add(toUplink(Cidr.parse("0.0.0.0/0")));
        routes.add(toUplink(Cidr.parse("::/0")));
        return new Node(
                List.of(
                        new Node.Interface(
                                Node.LOOPBACK,
                                Node.Side.PODS,
                                List.of(
                                        new Node.Address(IpAddress.parse("127.0.0.1"), 8),
                                        new Node.Address(IpAddress.parse("::1"), 128))),
                        new Node.Interface(UPLINK, Node.Side.UPLINK, own),
                        new Node.Interface(pods(), Node.Side.PODS, List.of())),
                routes,
                Node.Forwarding.ON,
                Node.Localnet.CONFINED);
    }

    private Node.Route route(Endpoint endpoint) {
        Cidr address = Cidr.of(endpoint.address());
        return switch (endpoint.place()) {
            case THIS_NODE -> toPods(address);
            case ELSEWHERE -> toUplink(address);
        };
    }

    private Node.Route toPods(Cidr range) {
        return new Node.Route(range, new Node.NextHop.Direct(pods()));
    }

    private static Node.Route toUplink(Cidr range) {
        return new Node.Route(range, new Node.NextHop.Direct(UPLINK));
    }
}
