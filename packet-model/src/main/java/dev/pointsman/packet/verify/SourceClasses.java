package dev.pointsman.packet.verify;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.LocalDetector;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.netfilter.Node;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Classes of senders. What all packets are asked is answered once; what one destination adds cuts
/// those classes further, for that destination only.
final class SourceClasses {

    record Sender(Flow.Origin origin, IpAddress source) {}

    /// The answers that make a class.
    private record Signature(Flow.Origin origin, List<Object> everywhere, List<Object> here) {}

    private final Family family;
    private final AssumedNode node;
    private final List<Atom> everywhere;
    private final NavigableSet<Value> points = new TreeSet<>();
    private final List<Value> representatives = new ArrayList<>();

    SourceClasses(RuleGraph graph, AssumedNode node, Constants constants) {
        this.family = graph.family();
        this.node = node;
        Set<Atom> atoms = new HashSet<>(constants.sources);
        intent(graph).forEach(range -> atoms.add(new Atom.Within(Range.of(range))));
        everywhere = List.copyOf(atoms);
        everywhere.forEach(atom -> Points.add(atom, points));
        AssumedNode.UNUSABLE.forEach(range -> addRange(range, points));
        node.ranges().forEach(range -> addRange(range, points));
        for (Node.Interface device : node.node().interfaces()) {
            device.addresses().forEach(own -> points.add(Value.of(own.address())));
        }
        Set<Signature> seen = new HashSet<>();
        for (Value point : points) {
            signature(point, List.of())
                    .filter(seen::add)
                    .ifPresent(_ -> representatives.add(point));
        }
    }

    private void addRange(Cidr range, NavigableSet<Value> into) {
        if (range.family() == family) {
            Points.add(Range.of(range), into);
        }
    }

    private static List<Cidr> intent(RuleGraph graph) {
        List<Cidr> ranges = new ArrayList<>();
        if (graph.node() instanceof NodeRules.Programmed programmed) {
            ranges.addAll(programmed.ownPods());
            if (programmed.detector() instanceof LocalDetector.Range(Cidr range)) {
                ranges.add(range);
            }
        }
        return ranges;
    }

    /// One sender of each class, without classes that one of `done` is in.
    List<Sender> cutBy(Collection<Atom> here, Collection<Sender> done) {
        NavigableSet<Value> candidates = new TreeSet<>();
        for (Atom atom : here) {
            Points.add(atom, candidates);
            if (atom instanceof Atom.Within(Range range) && !range.isSingle()) {
                candidates.addAll(points.subSet(range.low(), true, range.high(), true));
            }
        }
        List<Atom> questions = List.copyOf(here);
        Set<Signature> seen = new HashSet<>();
        for (Sender sender : done) {
            signature(Value.of(sender.source()), questions).ifPresent(seen::add);
        }
        Map<Value, Sender> senders = new HashMap<>();
        List<Sender> fresh = new ArrayList<>();
        for (List<Value> values : List.of(representatives, List.copyOf(candidates))) {
            for (Value value : values) {
                Optional<Signature> signature = signature(value, questions);
                if (signature.isPresent() && seen.add(signature.get())) {
                    Sender sender = new Sender(signature.get().origin(), value.address(family));
                    if (senders.put(value, sender) == null) {
                        fresh.add(sender);
                    }
                }
            }
        }
        return fresh;
    }

    /// Empty for what is nobody's address.
    private Optional<Signature> signature(Value value, List<Atom> here) {
        return Points.address(value, family)
                .flatMap(node::origin)
                .map(
                        origin ->
                                new Signature(
                                        origin, answers(everywhere, value), answers(here, value)));
    }

    private static List<Object> answers(List<Atom> atoms, Value value) {
        List<Object> answers = new ArrayList<>(atoms.size());
        for (Atom atom : atoms) {
            answers.add(atom.answer(value));
        }
        return answers;
    }
}
