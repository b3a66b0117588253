package dev.pointsman.ipvs;

import dev.pointsman.graph.Delta;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.RuleGraph;
import java.util.List;

/// Turns changes of a graph into operations.
final class Renderer {
    private Renderer() {}

    static IpvsTransaction render(RuleGraph from, Delta delta) {
        RuleGraph to = delta.applyTo(from);
        List<Operation> operations =
                from.node() instanceof NodeRules.Programmed node && to.node().equals(node)
                        ? Difference.between(
                                Compiler.touched(from, node, to, delta),
                                Compiler.touched(to, node, from, delta))
                        : Difference.between(Compiler.all(from), Compiler.all(to));
        return new IpvsTransaction(to, operations);
    }
}
