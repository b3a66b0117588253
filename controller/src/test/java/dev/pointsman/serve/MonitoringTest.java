package dev.pointsman.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// Alerts and dashboard ask for what the program shows, in every mode.
final class MonitoringTest {
    private static final Path FOLDER = Path.of("../deploy/chart/pointsman/files");

    /// What is selected, or what has the first part of one of our names.
    private static final Pattern METRIC =
            Pattern.compile(
                    "\\b(?<name>(kubeproxy|pointsman|rest_client|process|kubernetes)_\\w+|\\w+(?=[{\\[]))");

    /// Prometheus' own.
    private static final String UP = "up";

    @ParameterizedTest
    @ValueSource(strings = {"alerts.yaml", "dashboard.json"})
    void asks_for_metrics_that_every_mode_has(String file) throws IOException {
        SortedSet<String> asked = metrics(file);
        assertThat(asked).contains("pointsman_set_aside_services", "pointsman_drift_total");
        asked.remove(UP);
        for (String mode : Exposed.MODES) {
            SortedSet<String> shown = new TreeSet<>();
            Exposed.in(mode).values().forEach(each -> shown.addAll(each.samples()));
            assertThat(shown).as("in mode " + mode).containsAll(asked);
        }
    }

    /// Those of kubernetes-mixin's `proxy.libsonnet`, but for `go_goroutines`, which a JVM has not.
    @Test
    void the_dashboard_has_what_the_panels_of_kubernetes_mixin_need() throws IOException {
        assertThat(metrics("dashboard.json"))
                .contains(
                        UP,
                        "kubeproxy_sync_proxy_rules_duration_seconds_count",
                        "kubeproxy_sync_proxy_rules_duration_seconds_bucket",
                        "kubeproxy_network_programming_duration_seconds_count",
                        "kubeproxy_network_programming_duration_seconds_bucket",
                        "rest_client_requests_total",
                        "rest_client_request_duration_seconds_bucket",
                        "process_resident_memory_bytes",
                        "process_cpu_seconds_total");
    }

    private static SortedSet<String> metrics(String file) throws IOException {
        SortedSet<String> names = new TreeSet<>();
        // JSON is YAML.
        Object document =
                new Load(LoadSettings.builder().build())
                        .loadFromString(Files.readString(FOLDER.resolve(file)));
        collect(document, names);
        return names;
    }

    private static void collect(Object part, SortedSet<String> names) {
        switch (part) {
            case Map<?, ?> members ->
                    members.forEach(
                            (name, value) -> {
                                if (value instanceof String text
                                        && List.of("expr", "query").contains(name)) {
                                    METRIC.matcher(text)
                                            .results()
                                            .forEach(found -> names.add(found.group("name")));
                                } else if (value != null) {
                                    collect(value, names);
                                }
                            });
            case List<?> items -> items.forEach(item -> collect(item, names));
            default -> {}
        }
    }
}
