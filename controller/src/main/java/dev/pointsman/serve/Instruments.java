package dev.pointsman.serve;

import dev.pointsman.sync.SyncNote;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;

/// Makes metrics that have a series for each family.
///
/// @param registry that they are shown by
record Instruments(PrometheusRegistry registry) {
    static final String FAMILY = "ip_family";

    private static final double NANOS = 1e9;

    /// How long something takes, in the buckets that kube-proxy has for it.
    Histogram duration(String name, String help) {
        return Histogram.builder()
                .name(name)
                .help(help)
                .labelNames(FAMILY)
                .classicOnly()
                .classicExponentialUpperBounds(0.001, 2, 15)
                .register(registry);
    }

    Gauge gauge(String name, String help) {
        return Gauge.builder().name(name).help(help).labelNames(FAMILY).register(registry);
    }

    Counter counter(String name, String help) {
        return Counter.builder().name(name).help(help).labelNames(FAMILY).register(registry);
    }

    static void observe(Histogram histogram, SyncNote.Ran ran) {
        histogram.labelValues(ran.family().title()).observe(seconds(ran.took()));
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / NANOS;
    }

    static double seconds(Instant instant) {
        return instant.getEpochSecond() + instant.getNano() / NANOS;
    }
}
