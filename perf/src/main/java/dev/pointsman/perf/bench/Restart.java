package dev.pointsman.perf.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;

/// The proxy ends and starts again, with nothing changed meanwhile and clients that go on.
final class Restart {
    private static final Patience PATIENCE =
            new Patience(Duration.ofMillis(20), Duration.ofMinutes(3));
    private static final Duration EVERY = Duration.ofMillis(5);

    private Restart() {}

    static void measure(Run run) throws IOException {
        try (Connections connections = Connections.begin(run, 0, EVERY)) {
            run.stop();
            try (Writes writes = Writes.watch(run.town())) {
                long begun = System.nanoTime();
                run.start();
                OptionalLong synced = run.awaitSynced(PATIENCE);
                run.noteTime(Metric.RESTART, begun, synced, PATIENCE);
                run.note(Metric.RESTART_WRITES, new Reading.Exact(writes.count()));
            }
            run.note(Metric.RESTART_LOST, new Reading.Exact(Connections.lost(connections.end())));
        }
    }
}
