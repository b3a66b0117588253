package dev.pointsman.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.conntrack.FlowCleanup;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.Family;
import dev.pointsman.kube.ServerNote;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Sample;
import dev.pointsman.sync.InMemoryKernel;
import dev.pointsman.sync.Rehearsed;
import dev.pointsman.sync.SyncReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Names, labels, buckets and values: after a start, a refusal, and a change that the kernel took
/// at the third attempt.
final class MetricsTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
    private static final Path GOLDEN = Path.of("src/test/resources/metrics");

    private final InMemoryKernel v4 = new InMemoryKernel(Family.IPV4);
    private final InMemoryKernel v6 = new InMemoryKernel(Family.IPV6);
    private final Graphs graphs = new Graphs();
    private long passed = 1_000_000_000L;

    @ParameterizedTest
    @ValueSource(strings = {"nftables", "iptables", "ipvs"})
    void what_a_mode_measures_is_as_written_down(String mode) throws Exception {
        Metrics metrics =
                new Metrics(mode, Sample.FAMILIES, graphs, () -> passed, NOW.minusSeconds(60));
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
        Rehearsed loop = new Rehearsed(kernels, metrics::count, telemetry);
        metrics.measures(loop.stages());
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
        metrics.count(
                new SyncReport.FlowsCleaned(
                        Family.IPV4,
                        new FlowCleanup.Result.Cleaned(10, 3, List.of()),
                        Duration.ofMillis(5)));
        talks(metrics.apiServer());
        metrics.healthzAnswered(200);
        metrics.livezAnswered(503);

        Path golden = GOLDEN.resolve(mode + ".txt");
        Answer page = metrics.page();
        if (System.getProperty("golden", "compare").equals("update")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(golden, page.body());
        }
        assertThat(page.body()).isEqualTo(Files.readString(golden));
        assertThat(page.headers())
                .containsEntry("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
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
