package dev.pointsman.perf.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/// Single changes, one after the other: the only endpoint of a Service is replaced. Then what the
/// proxy has taken of the machine so far.
final class Changes {
    private static final Patience PATIENCE =
            new Patience(Duration.ofNanos(200_000), Duration.ofSeconds(60));

    /// kube-proxy's minSyncPeriod is 1 s unless it is told otherwise: with less between them it
    /// would be measured waiting for that.
    private static final Duration SPACING = Duration.ofMillis(1_200);

    private static final int PLACES = 10;

    private Changes() {}

    static void measure(Run run, Suite suite) throws IOException {
        int service = run.population().shape().services() / 2;
        Histogram nanos = new Histogram(3);
        long next = System.nanoTime();
        // The first only makes it a Service of one endpoint.
        for (int change = 0; change <= suite.changes(); change++) {
            LockSupport.parkNanos(next - System.nanoTime());
            long begun = System.nanoTime();
            next = begun + SPACING.toNanos();
            run.population().replace(service, List.of(change % PLACES));
            OptionalLong seen = run.awaitEach(List.of(service), PATIENCE);
            if (seen.isEmpty()) {
                run.noteTime(Metric.CHANGE, begun, seen, PATIENCE);
                return;
            }
            if (change > 0) {
                nanos.recordValue(seen.getAsLong() - begun);
            }
        }
        run.note(Metric.CHANGE, new Reading.Times(nanos));
        Daemon daemon = run.daemon();
        run.note(Metric.RESIDENT, new Reading.Exact(daemon.tree().resident()));
        run.note(Metric.PEAK, new Reading.Exact(daemon.peak()));
        if (run.group().isPresent()) {
            run.note(Metric.KERNEL, new Reading.Exact(run.group().get().kernelMemory()));
        }
        run.note(Metric.CPU, new Reading.Exact(daemon.tree().cpu()));
    }
}
