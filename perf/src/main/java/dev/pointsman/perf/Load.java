package dev.pointsman.perf;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceState;
import java.util.List;

/// What a first load took, from decoded objects to the last commit, in nanoseconds.
record Load(long plan, long render, long commit) implements Comparable<Load> {
    /// Loads `states` into an empty kernel.
    static Load of(Planner planner, List<ServiceState> states, Dataplane dataplane) {
        RuleGraph before = planner.graph();
        long begun = System.nanoTime();
        Delta delta = planner.plan(states);
        long planned = System.nanoTime();
        Transaction transaction = dataplane.render(before, delta);
        long rendered = System.nanoTime();
        apply(dataplane, transaction);
        return new Load(planned - begun, rendered - planned, System.nanoTime() - rendered);
    }

    static void apply(Dataplane dataplane, Transaction transaction) {
        Commit commit = dataplane.commit(transaction);
        if (!(commit instanceof Commit.Applied)) {
            throw new IllegalStateException("the kernel did not take the rules: " + commit);
        }
    }

    /// Removes the rules of `graph`, all there are.
    static void clear(Dataplane dataplane, RuleGraph graph) {
        RuleGraph nothing = RuleGraph.nothing(Family.IPV4);
        apply(dataplane, dataplane.render(graph, Delta.between(graph, nothing)));
    }

    long total() {
        return plan + render + commit;
    }

    @Override
    public int compareTo(Load other) {
        return Long.compare(total(), other.total());
    }
}
