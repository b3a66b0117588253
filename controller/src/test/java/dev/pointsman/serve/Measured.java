package dev.pointsman.serve;

import dev.pointsman.conntrack.FlowCleanup;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Family;
import dev.pointsman.kube.ServerNote;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Sample;
import dev.pointsman.sync.InMemoryKernel;
import dev.pointsman.sync.Rehearsed;
import dev.pointsman.sync.SyncReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// What is measured of a loop that has met everything there is to measure: a start, a refusal, a
/// change that the kernel took at the third attempt, and rules that somebody else changed.
final class Measured {
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

    private final InMemoryKernel v4 = new InMemoryKernel(Family.IPV4);
    private final InMemoryKernel v6 = new InMemoryKernel(Family.IPV6);
    private final Metrics metrics;
    private final Rehearsed loop;
    private long passed = 1_000_000_000L;

    private Measured(String mode) {
        Graphs graphs = new Graphs();
        metrics = new Metrics(mode, Sample.FAMILIES, graphs, () -> passed, NOW.minusSeconds(60));
        Health health =
                new Health(
                        Sample.FAMILIES,
                        Duration.ofSeconds(60),
                        () -> 0,
                        () -> NOW,
                        () -> Long.MAX_VALUE);
        Telemetry telemetry = new Telemetry(health, metrics, graphs, new Journal(), _ -> {});
        SortedMap<Family, Dataplane> kernels = new TreeMap<>();
        kernels.put(Family.IPV4, v4);
        kernels.put(Family.IPV6, v6);
        loop = new Rehearsed(kernels, metrics::count, telemetry);
        metrics.measures(loop.stages());
    }

    static Metrics in(String mode) {
        Measured measured = new Measured(mode);
        measured.rules();
        measured.reports();
        measured.talks(measured.metrics.apiServer());
        measured.metrics.healthzAnswered(200);
        measured.metrics.livezAnswered(503);
        return measured.metrics;
    }

    private void rules() {
        v4.refuses(Sample.name("bad"));
        loop.starts(Sample.cluster());
        loop.hears(new ClusterEvent.ServiceSeen(Sample.service("bad", 2)));
        v4.is(InMemoryKernel.Mood.BUSY);
        loop.hears(
                new ClusterEvent.SliceSeen(
                        Sample.slice("web-1", "web", "10.1.0.1", "10.1.0.2"),
                        NOW.minusMillis(1500)));
        loop.hears(
                new ClusterEvent.SliceSeen(
                        Sample.slice("web-2", "web", "fd00:1::1", "fd00:1::2"),
                        NOW.minusSeconds(61)));
        loop.passes(Duration.ofSeconds(1));
        v4.is(InMemoryKernel.Mood.WELL);
        loop.passes(Duration.ofSeconds(2));
    }

    private void reports() {
        metrics.count(
                new SyncReport.FlowsCleaned(
                        Family.IPV4,
                        new FlowCleanup.Result.Cleaned(10, 3, List.of()),
                        Duration.ofMillis(5)));
        metrics.count(new SyncReport.Removed(Family.IPV6));
        for (SyncReport.Cause cause : SyncReport.Cause.values()) {
            metrics.count(
                    new SyncReport.Committed(
                            Family.IPV4,
                            cause,
                            1,
                            new Transaction.Size(1, 1),
                            new SyncReport.Took(
                                    Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO)));
        }
    }

    /// One kind was heard of 90 seconds ago, the other one never.
    private void talks(Consumer<ServerNote> server) {
        String host = "10.96.0.1:443";
        server.accept(new ServerNote.Following("Service"));
        server.accept(new ServerNote.Following("Node"));
        server.accept(new ServerNote.Answered("GET", host, "200", Duration.ofMillis(20)));
        server.accept(
                new ServerNote.Answered("GET", host, ServerNote.NO_ANSWER, Duration.ofSeconds(30)));
        server.accept(new ServerNote.WatchBegan(host, "200"));
        passed += Duration.ofSeconds(30).toNanos();
        server.accept(new ServerNote.Heard("Service"));
        passed += Duration.ofSeconds(90).toNanos();
    }
}
