package dev.pointsman.serve;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.HashSet;
import java.util.Set;

/// Facts of one kind: all that were taken in, and those of them that are not planned yet.
final class WaitingFacts {
    private final Counter total;
    private final Gauge pending;
    private final Set<Object> names = new HashSet<>();

    /// @param kind as the names of the metrics have it
    /// @param title for people, in the plural
    WaitingFacts(PrometheusRegistry registry, String kind, String title) {
        total =
                Counter.builder()
                        .name("kubeproxy_sync_proxy_rules_" + kind + "_changes_total")
                        .help("Changes of " + title + " that were seen.")
                        .register(registry);
        pending =
                Gauge.builder()
                        .name("kubeproxy_sync_proxy_rules_" + kind + "_changes_pending")
                        .help("Changes of " + title + " that are not planned yet.")
                        .register(registry);
    }

    void arrived(Object name) {
        total.inc();
        names.add(name);
        pending.set(names.size());
    }

    void none() {
        if (!names.isEmpty()) {
            names.clear();
            pending.set(0);
        }
    }
}
