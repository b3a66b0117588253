package dev.pointsman.packet.verify;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.netfilter.Node;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/// Classes of destinations: every one that intent or a rule names with its port, and for each kind
/// of address every port that is named without one, and a port that nobody names.
final class TargetClasses {
    /// An address of a class may be named together with a port; then another one stands for it.
    private static final int STAND_INS = 8;

    private static final List<IpAddress> BEYOND =
            List.of(IpAddress.parse("198.19.255.8"), IpAddress.parse("2001:db8:ffff::8"));

    private final RuleGraph graph;
    private final AssumedNode node;
    private final Constants constants;
    private final List<Atom> destinations;

    private TargetClasses(RuleGraph graph, AssumedNode node, Constants constants) {
        this.graph = graph;
        this.node = node;
        this.constants = constants;
        destinations = List.copyOf(constants.destinations);
    }

    static List<Target> of(RuleGraph graph, AssumedNode node, Constants constants) {
        return new TargetClasses(graph, node, constants).all();
    }

    private List<Target> all() {
        Set<Target> targets = new LinkedHashSet<>();
        Set<Target> ports = new LinkedHashSet<>();
        IpAddress any = BEYOND.getFirst();
        for (Frontend frontend : graph.frontends().keySet()) {
            switch (frontend) {
                case Frontend.Address(var address, var protocol, int port) ->
                        targets.add(new Target(address, protocol, port));
                case Frontend.NodePort(var protocol, int port) ->
                        ports.add(new Target(any, protocol, port));
            }
        }
        for (Mention mention : constants.tuples) {
            Points.address(mention.destination().low(), graph.family())
                    .ifPresent(address -> targets.addAll(targets(address, mention)));
        }
        constants.ports.forEach(mention -> ports.addAll(targets(any, mention)));
        int unnamed = unnamed(targets, ports);
        for (Protocol protocol : Protocol.values()) {
            ports.add(new Target(any, protocol, unnamed));
        }
        for (List<IpAddress> addresses : kinds()) {
            for (Target port : ports) {
                addresses.stream()
                        .map(address -> new Target(address, port.protocol(), port.port()))
                        .filter(target -> !targets.contains(target))
                        .findFirst()
                        .ifPresent(targets::add);
            }
        }
        return List.copyOf(targets);
    }

    private static List<Target> targets(IpAddress address, Mention mention) {
        List<Target> targets = new ArrayList<>();
        for (Protocol protocol : Protocol.values()) {
            if (mention.protocol().contains(Value.of(protocol.number()))) {
                for (long port : ends(mention.port())) {
                    if (port >= 1 && port <= 65535) {
                        targets.add(new Target(address, protocol, (int) port));
                    }
                }
            }
        }
        return targets;
    }

    private static long[] ends(Range ports) {
        return ports.isSingle()
                ? new long[] {ports.low().number()}
                : new long[] {
                    ports.low().number() - 1,
                    ports.low().number(),
                    ports.high().number(),
                    ports.high().number() + 1
                };
    }

    private static int unnamed(Set<Target> targets, Set<Target> ports) {
        BitSet named = new BitSet();
        targets.forEach(target -> named.set(target.port()));
        ports.forEach(target -> named.set(target.port()));
        return Math.min(named.nextClearBit(1), 65535);
    }

    /// Addresses by kind. Those of the node are each a kind.
    private List<List<IpAddress>> kinds() {
        NavigableSet<Value> points = new TreeSet<>();
        destinations.forEach(atom -> Points.add(atom, points));
        List<Cidr> ranges = new ArrayList<>(node.ranges());
        if (graph.node() instanceof NodeRules.Programmed programmed) {
            ranges.addAll(programmed.serviceRanges());
        }
        ranges.forEach(range -> Points.add(Range.of(range), points));
        BEYOND.stream().filter(this::isOfFamily).forEach(a -> points.add(Value.of(a)));
        for (Node.Interface device : node.node().interfaces()) {
            device.addresses().stream()
                    .map(Node.Address::address)
                    .filter(this::isOfFamily)
                    .forEach(address -> points.add(Value.of(address)));
        }
        for (Frontend frontend : graph.frontends().keySet()) {
            if (frontend instanceof Frontend.Address(var address, _, _)) {
                points.add(Value.of(address));
            }
        }
        Map<Value, List<Integer>> asking = asking(points);
        Map<List<Object>, List<IpAddress>> kinds = new HashMap<>();
        for (Value point : points) {
            List<Integer> asked = asking.getOrDefault(point, List.of());
            Points.address(point, graph.family())
                    .filter(this::isUsable)
                    .ifPresent(
                            address -> {
                                List<IpAddress> kind =
                                        kinds.computeIfAbsent(
                                                signature(point, address, asked, ranges),
                                                _ -> new ArrayList<>());
                                if (kind.size() < STAND_INS) {
                                    kind.add(address);
                                }
                            });
        }
        return List.copyOf(kinds.values());
    }

    private boolean isOfFamily(IpAddress address) {
        return address.family() == graph.family();
    }

    private boolean isUsable(IpAddress address) {
        return node.node().owns(address)
                || AssumedNode.UNUSABLE.stream().noneMatch(range -> range.contains(address));
    }

    /// For each point the places of the questions that have a range around it: of thousands a few.
    private Map<Value, List<Integer>> asking(NavigableSet<Value> points) {
        Map<Value, List<Integer>> asking = new HashMap<>();
        for (int place = 0; place < destinations.size(); place++) {
            for (Range range : destinations.get(place).ranges()) {
                for (Value point : points.subSet(range.low(), true, range.high(), true)) {
                    List<Integer> places = asking.computeIfAbsent(point, _ -> new ArrayList<>());
                    if (places.isEmpty() || places.getLast() != place) {
                        places.add(place);
                    }
                }
            }
        }
        return asking;
    }

    private List<Object> signature(
            Value point, IpAddress address, List<Integer> asked, List<Cidr> ranges) {
        List<Object> answers = new ArrayList<>();
        for (int place : asked) {
            answers.add(place);
            answers.add(destinations.get(place).answer(point));
        }
        for (Cidr range : ranges) {
            answers.add(range.contains(address));
        }
        answers.add(graph.hasClusterIp(address));
        answers.add(owner(address));
        return answers;
    }

    /// Rules and virtual servers tell addresses of a dummy interface apart only by naming them.
    private Object owner(IpAddress address) {
        if (node.node().isHidden(address)) {
            return "a virtual server's";
        }
        return node.node().owns(address) ? address : "another's";
    }
}
