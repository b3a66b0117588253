package dev.pointsman.nftables;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Change;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.Shape;
import dev.pointsman.graph.Treatment;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the table must hold for a graph: all of it, or what a change of the graph touches.
final class Compiler {
    private static final Subject NODE = new Subject.Node();
    private static final Comparator<PickChain> BY_SIZE =
            Comparator.comparing(PickChain::form)
                    .thenComparing(PickChain::pick)
                    .thenComparingInt(PickChain::size);

    private final RuleGraph graph;
    private final NodePart node;
    private final Contents out = new Contents();

    private Compiler(RuleGraph graph, NodeRules.Programmed rules) {
        this.graph = graph;
        node = new NodePart(graph.family(), rules);
    }

    /// Everything. Nothing when nothing is programmed.
    static Contents all(RuleGraph graph) {
        if (!(graph.node() instanceof NodeRules.Programmed rules)) {
            return new Contents();
        }
        Compiler compiler = new Compiler(graph, rules);
        compiler.nodePart();
        compiler.pickChains(graph.shapes().keySet());
        graph.stickyPorts().stream().sorted().forEach(compiler::sticky);
        graph.frontends().forEach(compiler::frontend);
        return compiler.out;
    }

    /// What `graph` has of all that `delta`, which leads from or to it, touches.
    ///
    /// @param other the graph at the delta's other end
    static Contents touched(
            RuleGraph graph, NodeRules.Programmed rules, RuleGraph other, Delta delta) {
        Compiler compiler = new Compiler(graph, rules);
        boolean rewritten = !delta.nodeBefore().equals(delta.nodeAfter());
        if (rewritten) {
            compiler.nodePart();
            compiler.pickChains(graph.shapes().keySet());
        } else {
            compiler.pickChainsUnlike(other, delta);
        }
        SortedSet<ServicePortName> owners = new TreeSet<>();
        if (rewritten) {
            owners.addAll(graph.stickyPorts());
        }
        SortedMap<Frontend, Treatment> present = new TreeMap<>();
        Map<IpAddress, Subject> addresses = new LinkedHashMap<>();
        delta.frontends()
                .forEach(
                        (frontend, change) -> {
                            for (Treatment treatment : treatments(change)) {
                                if (treatment.affinity() instanceof Affinity.ClientIp) {
                                    owners.add(treatment.owner());
                                }
                                Subject subject = new Subject.Port(treatment.owner());
                                localAddresses(treatment)
                                        .forEach(a -> addresses.putIfAbsent(a, subject));
                            }
                            Treatment here = graph.frontends().get(frontend);
                            if (here != null) {
                                present.put(frontend, here);
                            }
                            compiler.clusterIp(frontend, treatments(change).getFirst().owner());
                        });
        owners.forEach(compiler::sticky);
        present.forEach(
                (frontend, treatment) ->
                        FrontendPart.write(frontend, treatment, compiler.out::add));
        addresses.forEach(compiler::localEndpoint);
        return compiler.out;
    }

    private static List<Treatment> treatments(Change<Treatment> change) {
        return switch (change) {
            case Change.Added<Treatment>(var after) -> List.of(after);
            case Change.Removed<Treatment>(var before) -> List.of(before);
            case Change.Replaced<Treatment>(var before, var after) -> List.of(before, after);
        };
    }

    private void nodePart() {
        Sets.ALL.forEach(set -> out.add(set, NODE));
        node.chains().forEach(chain -> out.add(chain, NODE));
    }

    private void pickChains(Collection<Shape> shapes) {
        shapes.stream()
                .flatMap(PickChain::of)
                .distinct()
                .sorted(BY_SIZE)
                .forEach(pick -> out.add(pick.chain(node), NODE));
    }

    /// The chains of which this graph might have the only user, or have lost it: all of them, but
    /// only where some shape has come or gone.
    private void pickChainsUnlike(RuleGraph other, Delta delta) {
        boolean differ = false;
        for (Map.Entry<Frontend, Change<Treatment>> entry : delta.frontends().entrySet()) {
            for (Treatment treatment : treatments(entry.getValue())) {
                Shape shape = Shape.of(entry.getKey(), treatment);
                differ |= graph.shapes().containsKey(shape) != other.shapes().containsKey(shape);
            }
        }
        if (differ) {
            pickChains(graph.shapes().keySet());
        }
    }

    private void sticky(ServicePortName owner) {
        StickyPart.write(graph, owner, node, out);
    }

    private void frontend(Frontend frontend, Treatment treatment) {
        FrontendPart.write(frontend, treatment, out::add);
        clusterIp(frontend, treatment.owner());
        Subject subject = new Subject.Port(treatment.owner());
        localAddresses(treatment).forEach(address -> localEndpoint(address, subject));
    }

    private void clusterIp(Frontend frontend, ServicePortName owner) {
        if (frontend instanceof Frontend.Address(var address, _, _)
                && graph.hasClusterIp(address)) {
            out.add(
                    Element.member(
                            Sets.CLUSTER_IPS, KeyBytes.of(address), new Subject.Port(owner)));
        }
    }

    private void localEndpoint(IpAddress address, Subject subject) {
        if (graph.hasLocalEndpoint(address)) {
            out.add(Element.member(Sets.LOCAL_ENDPOINTS, KeyBytes.of(address), subject));
            out.add(Element.member(Sets.HAIRPIN, KeyBytes.pair(address, address), subject));
        }
    }

    private static SortedSet<IpAddress> localAddresses(Treatment treatment) {
        SortedSet<IpAddress> addresses = new TreeSet<>();
        treatment
                .pools()
                .forEach(
                        pool -> {
                            for (Endpoint endpoint : pool.endpoints()) {
                                if (endpoint.place() == Endpoint.Place.THIS_NODE) {
                                    addresses.add(endpoint.address());
                                }
                            }
                        });
        return addresses;
    }
}
