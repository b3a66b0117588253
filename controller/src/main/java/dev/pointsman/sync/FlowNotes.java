package dev.pointsman.sync;

import dev.pointsman.graph.Change;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.ExpectedFlows;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Treatment;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// What a lane has planned that concerns UDP flows and has not handed over yet. Plans come before
/// the kernel has them, and some only after several attempts; what is noted waits for that.
final class FlowNotes {
    private ExpectedFlows flows;

    /// Frontends that went, with whose they were.
    private final SortedMap<Frontend, ServiceName> gone = new TreeMap<>();

    private boolean changed;

    FlowNotes(Family family) {
        flows = ExpectedFlows.nothing(family);
    }

    void planned(Delta delta, Collection<? extends ServiceState> states, NodeView node) {
        ExpectedFlows before = flows;
        for (ServiceState state : states) {
            flows = flows.with(state, node);
        }
        changed |= flows != before;
        delta.frontends()
                .forEach(
                        (frontend, change) -> {
                            if (frontend.protocol() == Protocol.UDP) {
                                note(frontend, change);
                            }
                        });
    }

    private void note(Frontend frontend, Change<Treatment> change) {
        switch (change) {
            case Change.Added<Treatment> _ -> changed = true;
            case Change.Removed<Treatment>(var was) -> {
                gone.put(frontend, was.owner().service());
                changed = true;
            }
            // Other endpoints are another state of the Service.
            case Change.Replaced<Treatment>(var was, var is) ->
                    changed |= !was.owner().equals(is.owner());
        }
    }

    /// What flows are expected to be like now that the kernel holds `held`, if a clean-up can find
    /// anything. Somebody else may have removed the rules for a while: a repair always has one.
    ///
    /// @param asides their Services are still there, and so are their flows
    Optional<ExpectedFlows> settled(
            RuleGraph held, Set<ServiceName> asides, SyncReport.Cause cause) {
        if (cause == SyncReport.Cause.CHANGE && !changed) {
            return Optional.empty();
        }
        Set<Frontend> noMore = new TreeSet<>();
        gone.forEach(
                (frontend, owner) -> {
                    if (!asides.contains(owner)) {
                        noMore.add(frontend);
                    }
                });
        gone.keySet().removeAll(noMore);
        flows = flows.in(held, noMore);
        changed = false;
        return Optional.of(flows);
    }
}
