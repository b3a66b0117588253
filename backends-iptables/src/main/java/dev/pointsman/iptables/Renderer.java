package dev.pointsman.iptables;

import dev.pointsman.graph.Delta;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.RuleGraph;

/// Turns changes of a graph into restores.
final class Renderer {
    private Renderer() {}

    static IptablesTransaction render(RuleGraph from, Delta delta, Capabilities capabilities) {
        RuleGraph to = delta.applyTo(from);
        Contents before;
        Contents after;
        if (from.node() instanceof NodeRules.Programmed rules && to.node().equals(rules)) {
            before = Compiler.touched(from, rules, capabilities, to, delta);
            after = Compiler.touched(to, rules, capabilities, from, delta);
        } else {
            before = Compiler.all(from, capabilities);
            after = Compiler.all(to, capabilities);
        }
        return new IptablesTransaction(to, Difference.between(before, after));
    }

    /// What takes the kernel from `found` to `desired`.
    static IptablesTransaction repair(
            SavedRules found, RuleGraph desired, Capabilities capabilities) {
        return new IptablesTransaction(
                desired, Difference.between(found, Compiler.all(desired, capabilities)));
    }
}
