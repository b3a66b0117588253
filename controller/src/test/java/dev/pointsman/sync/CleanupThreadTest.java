package dev.pointsman.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.conntrack.FlowCleanup;
import dev.pointsman.graph.ExpectedFlows;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CleanupThreadTest {
    private static final FlowCleanup.Result.Cleaned NOTHING =
            new FlowCleanup.Result.Cleaned(0, 0, List.of());

    private final BlockingQueue<ExpectedFlows> cleaned = new LinkedBlockingQueue<>();
    private final BlockingQueue<SyncReport> reports = new LinkedBlockingQueue<>();
    private final Semaphore mayClean = new Semaphore(0);

    private CleanupThread thread(Function<ExpectedFlows, FlowCleanup.Result> cleanup) {
        return new CleanupThread(
                flows -> {
                    cleaned.add(flows);
                    mayClean.acquireUninterruptibly();
                    return cleanup.apply(flows);
                },
                System::nanoTime,
                reports::add);
    }

    private static ExpectedFlows flows(Family family, int... gone) {
        ExpectedFlows flows = ExpectedFlows.nothing(family);
        for (int port : gone) {
            flows =
                    ExpectedFlows.nothing(family)
                            .in(
                                    RuleGraph.nothing(family),
                                    Set.of(new Frontend.NodePort(Protocol.UDP, port)))
                            .after(flows);
        }
        return flows;
    }

    private ExpectedFlows next() throws InterruptedException {
        ExpectedFlows next = cleaned.poll(30, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    @Test
    void the_latest_counts_and_nothing_that_went_is_forgotten() throws InterruptedException {
        CleanupThread thread = thread(_ -> NOTHING);
        thread.expect(flows(Family.IPV4, 1));
        assertThat(next().gone()).hasSize(1);
        // Nobody waits for the one that is at work.
        thread.expect(flows(Family.IPV4, 2));
        thread.expect(flows(Family.IPV6, 3));
        thread.expect(flows(Family.IPV4, 4));
        thread.expect(flows(Family.IPV4));
        mayClean.release(10);
        ExpectedFlows second = next();
        assertThat(second.family()).isEqualTo(Family.IPV4);
        assertThat(second.gone()).extracting(Frontend::port).containsExactly(2, 4);
        assertThat(next().family()).isEqualTo(Family.IPV6);
        thread.finish(Duration.ofSeconds(30));
        assertThat(cleaned).isEmpty();
        assertThat(reports).hasSize(3);
    }

    @Test
    void one_that_fails_is_said_once_and_done_again_with_what_came_meanwhile()
            throws InterruptedException {
        CleanupThread thread =
                thread(
                        flows ->
                                flows.gone().size() > 1
                                        ? NOTHING
                                        : new FlowCleanup.Result.Failed("no ctnetlink"));
        mayClean.release(10);
        thread.expect(flows(Family.IPV4, 1));
        assertThat(next().gone()).hasSize(1);
        assertThat(next().gone()).as("again, by itself").hasSize(1);
        thread.expect(flows(Family.IPV4, 2));
        ExpectedFlows last = next();
        while (last.gone().size() < 2) {
            last = next();
        }
        assertThat(last.gone()).extracting(Frontend::port).containsExactly(1, 2);
        thread.finish(Duration.ofSeconds(30));
        assertThat(reports)
                .extracting(report -> report.getClass().getSimpleName())
                .containsExactly("CleanupFailed", "FlowsCleaned");
        assertThat(reports.peek())
                .hasToString("IPv4: stale UDP flows may be left: no ctnetlink; tried again in 1 s");
    }

    @Test
    void a_fault_of_ours_is_said_and_ends_nothing() throws InterruptedException {
        CleanupThread thread =
                thread(
                        flows -> {
                            if (flows.gone().isEmpty()) {
                                return NOTHING;
                            }
                            throw new IllegalStateException("a test broke it");
                        });
        mayClean.release(10);
        thread.expect(flows(Family.IPV4, 1));
        thread.expect(flows(Family.IPV6));
        thread.finish(Duration.ofSeconds(30));
        assertThat(reports).anyMatch(report -> report.toString().contains("a test broke it"));
        assertThat(reports).anyMatch(SyncReport.FlowsCleaned.class::isInstance);
    }

    @Test
    void one_that_nobody_ever_used_is_finished_at_once() throws InterruptedException {
        thread(_ -> NOTHING).finish(Duration.ofSeconds(30));
        assertThat(cleaned).isEmpty();
    }
}
