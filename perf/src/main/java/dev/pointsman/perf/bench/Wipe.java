package dev.pointsman.perf.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;

/// Somebody else removes all rules.
final class Wipe {
    private static final Duration LOOK = Duration.ofMillis(2);

    private Wipe() {}

    static void measure(Run run, Suite suite) throws IOException {
        Patience patience = new Patience(LOOK, suite.wiped());
        run.town().onNode("nft", "flush", "ruleset");
        long wiped = System.nanoTime();
        OptionalLong back = run.awaitEach(run.population().spread(FirstSync.SAMPLE), patience);
        run.noteTime(Metric.WIPED, wiped, back, patience);
    }
}
