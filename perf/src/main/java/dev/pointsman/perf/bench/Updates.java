package dev.pointsman.perf.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/// Many Services get new endpoints at once: while the proxy runs, and while it does not.
final class Updates {
    private static final int SERVICES = 50;
    private static final Patience PATIENCE =
            new Patience(Duration.ofMillis(1), Duration.ofSeconds(60));

    private Updates() {}

    static void measure(Run run) throws IOException {
        List<Integer> services = run.population().spread(SERVICES);
        long begun = System.nanoTime();
        services.forEach(run.population()::renew);
        OptionalLong rolled = run.awaitEach(services, PATIENCE);
        run.noteTime(Metric.ROLLING_UPDATE, begun, rolled, PATIENCE);
        run.stop();
        services.forEach(run.population()::renew);
        long started = System.nanoTime();
        run.start();
        OptionalLong caughtUp = run.awaitEach(services, PATIENCE);
        run.noteTime(Metric.DRIFTED_RESTART, started, caughtUp, PATIENCE);
    }
}
