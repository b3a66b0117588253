package dev.pointsman.sync;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Settings;
import dev.pointsman.store.ClusterEvent;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;

/// The loop of node-a without its thread, on a clock that a test sets forward: a sync takes no
/// time.
public final class Rehearsed {
    private final Sync sync;
    private long now = 1_000_000_000_000L;

    public Rehearsed(
            SortedMap<Family, Dataplane> kernels,
            Consumer<SyncReport> reports,
            Consumer<SyncNote> notes) {
        sync =
                new Sync(
                        "node-a",
                        Settings.nftablesDefaults(),
                        Pace.DEFAULT,
                        kernels,
                        () -> now,
                        _ -> {},
                        reports,
                        notes);
    }

    public Stages stages() {
        return sync.stages();
    }

    /// Everything is listed.
    public void starts(List<ClusterEvent> cluster) {
        cluster.forEach(event -> sync.take(event, now));
        sync.listed();
        sync.step();
    }

    /// One thing changes.
    public void hears(ClusterEvent event) {
        sync.take(event, now);
        sync.step();
    }

    public void passes(Duration time) {
        now += time.toNanos();
        sync.step();
    }
}
