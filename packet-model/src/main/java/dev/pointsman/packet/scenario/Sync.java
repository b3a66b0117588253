package dev.pointsman.packet.scenario;

import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.Oracle;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/// One sync of a scenario: what a backend gets to do in each family of the node, and what must hold
/// when it has done it.
///
/// @param line where the statements begin that lead to it
public record Sync(
        int line,
        Cluster cluster,
        SortedMap<Family, Transition> transitions,
        List<Expectation> expectations) {

    /// From one graph to the next.
    public record Transition(RuleGraph before, Delta delta, RuleGraph after) {}

    public Sync {
        transitions = Collections.unmodifiableSortedMap(transitions);
        expectations = List.copyOf(expectations);
    }

    /// What knows the outcome of every flow of `family` after this sync.
    ///
    /// @throws IllegalArgumentException when the node has no address of `family`
    public Oracle oracle(Family family) {
        Transition transition = transitions.get(family);
        if (transition == null) {
            throw new IllegalArgumentException("the node has no " + family.title() + " address");
        }
        return new Oracle(transition.after(), cluster.node());
    }
}
