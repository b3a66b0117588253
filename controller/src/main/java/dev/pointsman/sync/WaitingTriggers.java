package dev.pointsman.sync;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.store.Changes;
import dev.pointsman.store.Trigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Triggers of one family whose changes the kernel does not hold yet.
final class WaitingTriggers {
    // A kernel that refuses for hours must not fill the memory; a measurement can do with these.
    private static final int MOST = 10_000;

    private final Family family;
    private final List<Trigger> waiting = new ArrayList<>();

    WaitingTriggers(Family family) {
        this.family = family;
    }

    void add(Changes changes) {
        changes.triggers().stream()
                .filter(trigger -> trigger.family() == family)
                .limit(MOST - waiting.size())
                .forEach(waiting::add);
    }

    /// The kernel holds everything but `setAside`: nothing waits any more, and what was set aside
    /// did not arrive.
    List<Instant> arrived(Set<ServiceName> setAside) {
        List<Instant> arrived =
                waiting.stream()
                        .filter(trigger -> !setAside.contains(trigger.service()))
                        .map(Trigger::at)
                        .toList();
        waiting.clear();
        return arrived;
    }
}
