package dev.pointsman.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.conntrack.FlowCleanup;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.ExpectedFlows;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Settings;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Sample;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SyncLoopTest {
    private final InMemoryKernel kernel = new InMemoryKernel(Family.IPV4);
    private final BlockingQueue<SyncReport> reports = new LinkedBlockingQueue<>();
    private FlowCleanup cleanup = _ -> new FlowCleanup.Result.Cleaned(0, 0, List.of());

    private SyncLoop loop() {
        TreeMap<Family, Dataplane> kernels = new TreeMap<>();
        kernels.put(Family.IPV4, kernel);
        return new SyncLoop(
                "node-a",
                Settings.nftablesDefaults(),
                Pace.DEFAULT,
                kernels,
                flows -> cleanup.clean(flows),
                System::nanoTime,
                reports::add,
                _ -> {});
    }

    private static CompletableFuture<Outcome> start(SyncLoop loop) {
        CompletableFuture<Outcome> end = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                end.complete(loop.run(_ -> false));
                            } catch (InterruptedException | RuntimeException e) {
                                end.completeExceptionally(e);
                            }
                        });
        return end;
    }

    private SyncReport.Committed commit() throws InterruptedException {
        SyncReport report = reports.poll(30, TimeUnit.SECONDS);
        while (report instanceof SyncReport.FlowsCleaned) {
            report = reports.poll(30, TimeUnit.SECONDS);
        }
        assertThat(report).isInstanceOf(SyncReport.Committed.class);
        return (SyncReport.Committed) report;
    }

    @Test
    void events_of_other_threads_reach_the_kernel_and_stop_leaves_it_as_it_is() throws Exception {
        SyncLoop loop = loop();
        loop.take(Sample.cluster());
        loop.listed();
        CompletableFuture<Outcome> end = start(loop);
        assertThat(commit().frontends()).isEqualTo(1);

        loop.take(List.of(new ClusterEvent.ServiceSeen(Sample.service("more", 2))));
        assertThat(commit().frontends()).isEqualTo(2);

        loop.stop();
        assertThat(end.get(30, TimeUnit.SECONDS)).isEqualTo(new Outcome.InPlace(new TreeSet<>()));
        assertThat(kernel.held().frontends()).hasSize(2);
    }

    @Test
    void what_waits_in_the_queue_is_one_commit() throws Exception {
        SyncLoop loop = loop();
        loop.take(Sample.cluster());
        for (int i = 10; i < 20; i++) {
            loop.take(List.of(new ClusterEvent.ServiceSeen(Sample.service("s" + i, i))));
        }
        loop.listed();
        loop.run(outcome -> !(outcome instanceof Outcome.Waiting));
        assertThat(kernel.commits()).isEqualTo(1);
        assertThat(kernel.held().frontends()).hasSize(11);
    }

    @Test
    void what_arrives_between_two_runs_is_not_lost_and_clean_ups_go_on() throws Exception {
        BlockingQueue<ExpectedFlows> cleaned = new LinkedBlockingQueue<>();
        SyncLoop loop = loop();
        cleanup =
                flows -> {
                    loop.take(List.of(new ClusterEvent.ServiceSeen(Sample.service("more", 2))));
                    cleaned.add(flows);
                    return new FlowCleanup.Result.Cleaned(0, 0, List.of());
                };
        loop.take(Sample.cluster());
        loop.listed();
        loop.run(outcome -> outcome instanceof Outcome.InPlace);
        assertThat(commit().frontends()).isEqualTo(1);
        assertThat(cleaned.poll(30, TimeUnit.SECONDS)).isNotNull();

        CompletableFuture<Outcome> end = start(loop);
        assertThat(commit().frontends()).isEqualTo(2);
        kernel.losesEverything();
        assertThat(cleaned.poll(30, TimeUnit.SECONDS)).isNotNull();
        loop.stop();
        end.get(30, TimeUnit.SECONDS);
        loop.finish();
    }

    @Test
    void a_loop_that_is_not_listed_stops_without_a_write() throws Exception {
        SyncLoop loop = loop();
        loop.take(Sample.cluster());
        loop.stop();
        assertThat(loop.run(_ -> false)).isEqualTo(new Outcome.Waiting());
        assertThat(kernel.attempts() + kernel.reads()).isZero();
    }
}
