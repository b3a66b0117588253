package dev.pointsman.serve;

import dev.pointsman.sync.Stages;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.Quantile;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/// The loop's own histograms, finer than buckets are, as a summary since start.
final class StageSummary implements Collector {
    private static final String NAME = "pointsman_stage_duration_seconds";
    private static final double MICROS = 1e6;

    private final Stages stages;

    StageSummary(Stages stages) {
        this.stages = stages;
    }

    @Override
    public MetricSnapshot collect() {
        SummarySnapshot.Builder summary =
                SummarySnapshot.builder()
                        .name(NAME)
                        .help(
                                "How long the stages of a sync took, both families together, since start.");
        for (Stages.Stage stage : Stages.Stage.values()) {
            Histogram histogram = stages.histogram(stage).copy();
            summary.dataPoint(
                    SummarySnapshot.SummaryDataPointSnapshot.builder()
                            .labels(Labels.of("stage", stage.name().toLowerCase(Locale.ROOT)))
                            .quantiles(
                                    Quantiles.of(
                                            quantile(histogram, 0.5),
                                            quantile(histogram, 0.99),
                                            quantile(histogram, 1)))
                            .count(histogram.getTotalCount())
                            .sum(histogram.getMean() * histogram.getTotalCount() / MICROS)
                            .build());
        }
        return summary.build();
    }

    private static Quantile quantile(Histogram histogram, double quantile) {
        return new Quantile(quantile, histogram.getValueAtPercentile(100 * quantile) / MICROS);
    }
}
