package dev.pointsman.packet.verify;

import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Treatment;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.netfilter.Memory;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Value;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;

/// Random flows among all addresses, ports and protocols that a cluster or rules mention, and their
/// neighbours: no classes, and nothing of [Verifier] but what is sent.
public final class Grid {
    private final RuleGraph graph;
    private final AssumedNode node;
    private final List<IpAddress> addresses;
    private final List<Integer> ports;

    public Grid(RuleGraph graph, NodeView view, List<IpAddress> more) {
        this.graph = graph;
        this.node = AssumedNode.of(graph, view);
        SortedSet<Value> points = new TreeSet<>();
        SortedSet<Integer> known = new TreeSet<>(List.of(1));
        more.forEach(address -> points.add(Value.of(address)));
        view.addresses().stream()
                .filter(address -> address.family() == graph.family())
                .forEach(address -> points.add(Value.of(address)));
        for (Frontend frontend : graph.frontends().keySet()) {
            known.add(frontend.port());
            known.add(frontend.port() + 1);
            if (frontend instanceof Frontend.Address(var address, _, _)) {
                Points.add(Range.of(Value.of(address)), points);
            }
        }
        for (Treatment treatment : graph.frontends().values()) {
            for (Pool pool : treatment.pools()) {
                for (Endpoint endpoint : pool.endpoints()) {
                    Points.add(Range.of(Value.of(endpoint.address())), points);
                    known.add(endpoint.port());
                }
            }
        }
        addresses =
                points.stream().flatMap(p -> Points.address(p, graph.family()).stream()).toList();
        ports = List.copyOf(known);
    }

    /// A flow that `rules` and `others` treat differently, if one of `tries` is.
    public Optional<Flow> difference(Ruleset rules, Ruleset others, int tries, Random random) {
        Tracer one = new Tracer(node, rules);
        Tracer other = new Tracer(node, others);
        for (int i = 0; i < tries; i++) {
            Optional<Flow> flow = flow(random);
            if (flow.isPresent() && !answer(one, flow.get()).equals(answer(other, flow.get()))) {
                return flow;
            }
        }
        return Optional.empty();
    }

    private Optional<Flow> flow(Random random) {
        IpAddress source = addresses.get(random.nextInt(addresses.size()));
        Flow dial =
                new Flow(
                        Flow.Origin.OUTSIDE,
                        List.of(Protocol.values()).get(random.nextInt(3)),
                        source,
                        addresses.get(random.nextInt(addresses.size())),
                        ports.get(random.nextInt(ports.size())));
        return node.origin(source)
                .filter(origin -> origin != Flow.Origin.OUTSIDE || !isClusterIp(dial))
                // What somebody sends to himself does not come by the node.
                .filter(origin -> origin == Flow.Origin.HOST || !source.equals(dial.destination()))
                .map(
                        origin ->
                                new Flow(
                                        origin,
                                        dial.protocol(),
                                        source,
                                        dial.destination(),
                                        dial.port()));
    }

    private boolean isClusterIp(Flow flow) {
        return graph.hasClusterIp(flow.destination());
    }

    private static Shares answer(Tracer tracer, Flow flow) {
        return Shares.of(tracer, tracer.follow(flow, Memory.blank()), flow);
    }
}
