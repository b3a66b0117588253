package dev.pointsman.perf.bench;

import dev.pointsman.graph.IpAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/// Endpoints of a Service come and go under new connections to it: does one reach an endpoint that
/// is no more?
final class ScaleDown {
    private static final int SERVICE = 0;

    /// 400 a second.
    private static final Duration EVERY = Duration.ofNanos(2_500_000);

    private static final double LATE_MILLIS = 50;
    private static final int SHORTEST_MILLIS = 100;
    private static final int LONGEST_MILLIS = 400;

    /// Scaled to one and back, then all replaced, and again.
    private static final List<List<Integer>> STEPS =
            List.of(
                    List.of(0, 1, 2, 3),
                    List.of(0),
                    List.of(0, 1, 2, 3),
                    List.of(4, 5, 6, 7),
                    List.of(4),
                    List.of(4, 5, 6, 7));

    private ScaleDown() {}

    static void measure(Run run, Suite suite) throws IOException {
        Random random = new Random(1);
        Presence presence = new Presence();
        List<Connections.Attempt> attempts;
        try (Connections connections = Connections.begin(run, SERVICE, EVERY)) {
            for (int step = 0; step < suite.scaleDowns(); step++) {
                presence.change(run.population(), STEPS.get(step % STEPS.size()));
                int rest = random.nextInt(SHORTEST_MILLIS, LONGEST_MILLIS);
                LockSupport.parkNanos(Duration.ofMillis(rest).toNanos());
            }
            attempts = connections.end();
        }
        List<Double> tooLate =
                attempts.stream()
                        .flatMap(
                                attempt ->
                                        attempt.reached().stream()
                                                .map(
                                                        reached ->
                                                                presence.goneFor(
                                                                        reached.endpoint(),
                                                                        attempt.begun())))
                        .map(Metric.LATEST.unit()::of)
                        .toList();
        run.note(Metric.SCALE_DOWN, new Reading.Exact(attempts.size()));
        run.note(
                Metric.LATE,
                new Reading.Exact(tooLate.stream().filter(ms -> ms > LATE_MILLIS).count()));
        run.note(
                Metric.LATEST,
                new Reading.Exact(tooLate.stream().mapToDouble(ms -> ms).max().orElse(0)));
        run.note(Metric.LOST, new Reading.Exact(Connections.lost(attempts)));
    }

    /// When which endpoint was there, as the API server confirmed it.
    private static final class Presence {
        private enum State {
            THERE,
            GONE
        }

        private final Map<IpAddress, NavigableMap<Long, State>> states = new HashMap<>();

        /// In doubt for the proxy: an endpoint is there from before the API server knows it, and
        /// gone once it has confirmed that.
        void change(Population population, List<Integer> slots) {
            Set<IpAddress> before = population.endpoints(SERVICE);
            long asked = System.nanoTime();
            population.replace(SERVICE, slots);
            long confirmed = System.nanoTime();
            Set<IpAddress> after = population.endpoints(SERVICE);
            after.forEach(endpoint -> note(endpoint, asked, State.THERE));
            Set<IpAddress> gone = new HashSet<>(before);
            gone.removeAll(after);
            gone.forEach(endpoint -> note(endpoint, confirmed, State.GONE));
        }

        private void note(IpAddress endpoint, long nanos, State state) {
            states.computeIfAbsent(endpoint, _ -> new TreeMap<>()).put(nanos, state);
        }

        /// How long before `nanos` it was removed, in nanoseconds; 0 of one that was there.
        long goneFor(IpAddress endpoint, long nanos) {
            var last = states.getOrDefault(endpoint, new TreeMap<>()).floorEntry(nanos);
            if (last == null) {
                return 0; // one that was there at the beginning
            }
            return switch (last.getValue()) {
                case THERE -> 0;
                case GONE -> nanos - last.getKey();
            };
        }
    }
}
