package dev.pointsman.serve;

import dev.pointsman.graph.Family;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// How long changes of endpoints take from where they come about until the kernel holds them, the
/// way through the API server and the clocks of two machines included (behaviour document 6.4).
final class ProgrammingLatency {
    private static final double[] SECONDS =
            Stream.of(
                            DoubleStream.of(0, 0.25, 0.5),
                            IntStream.range(1, 60).asDoubleStream(),
                            IntStream.range(12, 24).mapToDouble(fives -> 5 * fives),
                            IntStream.rangeClosed(4, 10).mapToDouble(thirties -> 30 * thirties))
                    .flatMapToDouble(part -> part)
                    .toArray();

    private final Instant start;
    private final Histogram histogram;

    /// @param start of the process: what came about before is not its delay
    ProgrammingLatency(PrometheusRegistry registry, Instant start) {
        this.start = start;
        histogram =
                Histogram.builder()
                        .name("kubeproxy_network_programming_duration_seconds")
                        .help(
                                "From the time that a slice says its change came about until the"
                                        + " kernel held it.")
                        .labelNames(Instruments.FAMILY)
                        .classicOnly()
                        .classicUpperBounds(SECONDS)
                        .register(registry);
    }

    void start(Family family) {
        histogram.initLabelValues(family.title());
    }

    void programmed(Family family, List<Instant> triggers, Instant now) {
        for (Instant trigger : triggers) {
            if (trigger.isAfter(start)) {
                histogram
                        .labelValues(family.title())
                        .observe(Instruments.seconds(Duration.between(trigger, now)));
            }
        }
    }
}
