package dev.pointsman.serve;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;

/// `/metrics/slis` of the components of Kubernetes: since when the process runs, and that it
/// answers when it is asked whether it lives.
final class Indicators {
    /// The one check that there is, under the name it has in all components.
    private static final String PING = "ping";

    private static final String HEALTHZ = "healthz";

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Gauge check =
            Gauge.builder()
                    .name("kubernetes_healthcheck")
                    .help("Whether a check went well when it was last made.")
                    .labelNames("name", "type")
                    .register(registry);
    private final Counter checks =
            Counter.builder()
                    .name("kubernetes_healthchecks_total")
                    .help("Checks by how they went.")
                    .labelNames("name", "status", "type")
                    .register(registry);

    /// @param start of the process
    Indicators(Instant start) {
        GaugeWithCallback.builder()
                .name("process_start_time_seconds")
                .help("When the process started.")
                .callback(to -> to.call(Instruments.seconds(start)))
                .register(registry);
    }

    /// Somebody asked, and was answered.
    void checked() {
        check.labelValues(PING, HEALTHZ).set(1);
        checks.labelValues(PING, "success", HEALTHZ).inc();
    }

    Answer page() {
        return PrometheusText.page(registry);
    }
}
