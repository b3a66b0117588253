package dev.pointsman.sync;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.ExpectedFlows;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.Settings;
import dev.pointsman.store.Changes;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Everything that [SyncLoop] does but waiting: no thread, no clock of its own, so that a test can
/// take it through an hour in a millisecond. Owned by one thread.
final class Sync {
    private final ClusterState state;
    private final SortedMap<Family, Dataplane> dataplanes;
    private final List<Lane> lanes = new ArrayList<>();
    private final String node;
    private Lane.Line line;
    private boolean listed;
    private boolean toldOfNode;
    private long earliestCommit = Long.MIN_VALUE;
    private long oldestEvent = Long.MAX_VALUE;

    Sync(
            String node,
            Settings settings,
            Pace pace,
            SortedMap<Family, Dataplane> dataplanes,
            LongSupplier nanos,
            Consumer<ExpectedFlows> flows,
            Consumer<SyncReport> reports,
            Consumer<SyncNote> notes) {
        this.node = node;
        state = new ClusterState(node);
        this.dataplanes = dataplanes;
        line = new Lane.Line(state, settings, pace, nanos, new Stages(), flows, reports, notes);
    }

    Stages stages() {
        return line.stages();
    }

    ClusterState state() {
        return state;
    }

    void take(ClusterEvent event, long arrived) {
        state.take(event);
        line.notes().accept(new SyncNote.Arrived(event));
        state.outlook().ifPresent(ahead -> line.notes().accept(new SyncNote.OwnNode(ahead)));
        if (state.hasChanges()) {
            oldestEvent = Math.min(oldestEvent, arrived);
        } else {
            line.notes().accept(new SyncNote.NothingWaits());
        }
    }

    /// Goes on with other settings and another pace.
    void reconfigure(Settings settings, Pace pace, long arrived) {
        line = line.with(settings, pace);
        lanes.forEach(lane -> lane.reconfigure(settings, pace, arrived));
    }

    /// Services and slices are complete: before, live Services would be refused for want of
    /// endpoints.
    void listed() {
        listed = true;
    }

    /// Does whatever is due and returns when to come back if no event arrives before.
    long step() {
        if (!listed) {
            return Long.MAX_VALUE;
        }
        if (state.node().isEmpty()) {
            if (!toldOfNode) {
                toldOfNode = true;
                line.reports().accept(new SyncReport.AwaitingNode(node));
            }
            return Long.MAX_VALUE;
        }
        if (lanes.isEmpty()) {
            Changes first = drain();
            dataplanes.forEach((family, dataplane) -> lanes.add(new Lane(family, dataplane, line)));
            lanes.forEach(lane -> lane.planAll(first, oldestEvent));
            committed();
        } else if (state.hasChanges() && line.nanos().getAsLong() >= earliestCommit) {
            Changes changes = drain();
            lanes.forEach(lane -> lane.take(changes, oldestEvent));
            committed();
        }
        lanes.forEach(Lane::tick);
        long due = state.hasChanges() ? earliestCommit : Long.MAX_VALUE;
        for (Lane lane : lanes) {
            due = Math.min(due, lane.due());
        }
        return due;
    }

    /// Whether every family was tried, and how it went.
    Outcome outcome() {
        if (lanes.isEmpty()) {
            return new Outcome.Waiting();
        }
        SortedSet<ServiceName> aside = new TreeSet<>();
        lanes.forEach(lane -> aside.addAll(lane.setAside()));
        return lanes.stream().allMatch(Lane::isInPlace)
                ? new Outcome.InPlace(aside)
                : new Outcome.Failing();
    }

    void close() {
        dataplanes.values().forEach(Dataplane::close);
    }

    private Changes drain() {
        line.notes().accept(new SyncNote.NothingWaits());
        return state.drain();
    }

    private void committed() {
        oldestEvent = Long.MAX_VALUE;
        earliestCommit = line.nanos().getAsLong() + line.pace().minSyncPeriod().toNanos();
    }
}
