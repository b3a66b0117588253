package dev.pointsman.sync;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Settings;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A [Sync] of node-a for both families, with what it says, on a clock that a test sets forward.
final class TwoFamilies {
    private final InMemoryKernel v4 = new InMemoryKernel(Family.IPV4);
    private final InMemoryKernel v6 = new InMemoryKernel(Family.IPV6);
    private final List<SyncReport> reports = new ArrayList<>();
    private final List<SyncNote> notes = new ArrayList<>();
    private long now = 1_000_000_000_000L;
    private Sync sync = over(Pace.DEFAULT);

    private Sync over(Pace pace) {
        SortedMap<Family, Dataplane> kernels = new TreeMap<>();
        kernels.put(Family.IPV4, v4);
        kernels.put(Family.IPV6, v6);
        return new Sync(
                "node-a",
                Settings.nftablesDefaults(),
                pace,
                kernels,
                () -> now,
                _ -> {},
                reports::add,
                notes::add);
    }

    /// Another process begins; the kernels hold what they held.
    void begin(Pace pace) {
        sync = over(pace);
    }

    /// Everything that [Sample#cluster] has is listed.
    void list() {
        Sample.cluster().forEach(this::take);
        sync.listed();
        sync.step();
    }

    void take(ClusterEvent event) {
        sync.take(event, now);
    }

    /// Time passes, and nothing is done meanwhile.
    void rest(Duration time) {
        now += time.toNanos();
    }

    Sync sync() {
        return sync;
    }

    long now() {
        return now;
    }

    InMemoryKernel v4() {
        return v4;
    }

    InMemoryKernel v6() {
        return v6;
    }

    List<SyncReport> reports() {
        return reports;
    }

    List<SyncNote> notes() {
        return notes;
    }
}
