package dev.pointsman.perf.bench;

import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/// What all runs of one cell gave for one metric, in words.
final class Summary {
    /// Below so many the 99th percentile is but the longest.
    private static final long FEW = 100;

    private Summary() {}

    /// @param figures of one cell; none gives a dash
    static String text(Metric metric, List<Figure> figures) {
        if (figures.isEmpty()) {
            return "–";
        }
        Optional<Figure> beyond =
                figures.stream().filter(f -> f.reading() instanceof Reading.Beyond).findFirst();
        if (beyond.isPresent()) {
            return "not within " + amount(metric, beyond.get().middle());
        }
        return Results.together(figures)
                .map(nanos -> text(metric, nanos))
                .orElseGet(() -> Range.of(figures).text(metric.unit()));
    }

    private static String text(Metric metric, Histogram nanos) {
        double middle = metric.unit().of(nanos.getValueAtPercentile(50));
        boolean few = nanos.getTotalCount() < FEW;
        double high = metric.unit().of(few ? nanos.getMaxValue() : nanos.getValueAtPercentile(99));
        return "p50 %s, %s %s of %d"
                .formatted(
                        amount(metric, middle),
                        few ? "max" : "p99",
                        amount(metric, high),
                        nanos.getTotalCount());
    }

    static String amount(Metric metric, double value) {
        String symbol = metric.unit().symbol();
        return Range.number(value) + (symbol.isEmpty() ? "" : " " + symbol);
    }
}
