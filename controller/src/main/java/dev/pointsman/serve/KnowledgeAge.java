package dev.pointsman.serve;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;

/// How old what is known of the cluster may be: the time since the API server last said that
/// nothing else is known there. Written on the feed's threads, read on any.
final class KnowledgeAge implements Collector {
    private static final double NANOS = 1e9;

    private final SortedMap<String, Long> confirmed = new ConcurrentSkipListMap<>();
    private final LongSupplier nanos;

    KnowledgeAge(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void confirmed(String resource) {
        confirmed.put(resource, nanos.getAsLong());
    }

    @Override
    public MetricSnapshot collect() {
        long now = nanos.getAsLong();
        GaugeSnapshot.Builder ages =
                GaugeSnapshot.builder()
                        .name("pointsman_knowledge_age_seconds")
                        .help(
                                "Time since the API server last confirmed what is known of a resource.");
        confirmed.forEach(
                (resource, since) ->
                        ages.dataPoint(
                                GaugeSnapshot.GaugeDataPointSnapshot.builder()
                                        .labels(Labels.of("resource", resource))
                                        .value((now - since) / NANOS)
                                        .build()));
        return ages.build();
    }
}
