package dev.pointsman.perf.bench;

import dev.pointsman.graph.IpAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// The start on a node without rules, and whether packets then go where they belong.
final class FirstSync {
    static final int SAMPLE = 32;
    private static final int DIALS_EACH = 5;
    private static final Duration LOOK = Duration.ofMillis(2);

    private FirstSync() {}

    /// @return whether all Services answered in time
    /// @throws IOException when one answers from an endpoint that it does not have
    static boolean measure(Run run, Suite suite) throws IOException {
        Patience patience = new Patience(LOOK, suite.patience());
        List<Integer> sample = run.population().spread(SAMPLE);
        long begun = System.nanoTime();
        run.start();
        OptionalLong answered = run.awaitEach(sample, patience);
        run.noteTime(Metric.FIRST_SYNC, begun, answered, patience);
        if (answered.isPresent()) {
            Town.call(run.town().client(), () -> check(run, sample));
        }
        return answered.isPresent();
    }

    private static boolean check(Run run, List<Integer> sample) throws IOException {
        for (int service : sample) {
            Set<IpAddress> endpoints = run.population().endpoints(service);
            for (int i = 0; i < DIALS_EACH; i++) {
                Optional<IpAddress> reached = run.dial(service).once().map(Dial.Reached::endpoint);
                if (reached.filter(endpoints::contains).isEmpty()) {
                    throw new IOException(
                            "the packet check failed: Service %s answered from %s, not from one of %s"
                                    .formatted(
                                            run.population().shape().name(service),
                                            reached.map(IpAddress::toString).orElse("nowhere"),
                                            endpoints));
                }
            }
        }
        return true;
    }
}
