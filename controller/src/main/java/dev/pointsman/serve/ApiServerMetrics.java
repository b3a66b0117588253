package dev.pointsman.serve;

import dev.pointsman.kube.ServerNote;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// How it goes with the API server: the requests, as client-go measures them, and how old what is
/// known of the cluster can be. Told and read on any thread.
final class ApiServerMetrics implements Consumer<ServerNote> {
    private static final String HOST = "host";

    private final LongSupplier nanos;
    private final Counter requests;
    private final Histogram durations;

    // When the server last spoke of a kind, on the clock that only goes forward.
    private final SortedMap<String, Long> heard = new ConcurrentSkipListMap<>();

    ApiServerMetrics(PrometheusRegistry registry, LongSupplier nanos) {
        this.nanos = nanos;
        requests =
                Counter.builder()
                        .name("rest_client_requests_total")
                        .help("Requests to the API server by how they were answered.")
                        .labelNames("code", HOST, "method")
                        .register(registry);
        durations =
                Histogram.builder()
                        .name("rest_client_request_duration_seconds")
                        .help(
                                "How long the API server took to begin an answer, watches left"
                                        + " out.")
                        .labelNames(HOST, "verb")
                        .classicOnly()
                        .classicUpperBounds(0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60)
                        .register(registry);
        GaugeWithCallback.builder()
                .name("pointsman_information_age_seconds")
                .help(
                        "How long ago the API server last said anything about objects of a kind,"
                                + " be it that nothing changed.")
                .labelNames("kind")
                .callback(to -> heard.forEach((kind, at) -> to.call(since(at), kind)))
                .register(registry);
    }

    private double since(long at) {
        return Instruments.seconds(Duration.ofNanos(nanos.getAsLong() - at));
    }

    @Override
    public void accept(ServerNote note) {
        switch (note) {
            case ServerNote.Following(var kind) -> heard.put(kind, nanos.getAsLong());
            case ServerNote.Heard(var kind) -> heard.put(kind, nanos.getAsLong());
            case ServerNote.Answered(var method, var host, var code, var took) -> {
                requests.labelValues(code, host, method).inc();
                durations.labelValues(host, method).observe(Instruments.seconds(took));
            }
            case ServerNote.WatchBegan(var host, var code) ->
                    requests.labelValues(code, host, "GET").inc();
        }
    }
}
