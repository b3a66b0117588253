package dev.pointsman.perf.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/// The curves of some results: against endpoints those of each proxy and mode, and the latencies of
/// a change by percentile.
final class Curves {
    private static final List<Double> PERCENTILES =
            List.of(0.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 100.0);

    private Curves() {}

    /// Those for which there are figures.
    static List<Plot> of(Results results) {
        return Stream.of(
                        againstEndpoints(
                                results, Metric.FIRST_SYNC, "First sync, against endpoints"),
                        againstEndpoints(
                                results,
                                Metric.CHANGE,
                                "One endpoint replaced → first packet, median, against endpoints"),
                        percentiles(results),
                        againstEndpoints(
                                results,
                                Metric.PEAK,
                                "Memory at most, children included, against endpoints"))
                .filter(plot -> !plot.lines().isEmpty())
                .toList();
    }

    private static Plot againstEndpoints(Results results, Metric metric, String title) {
        return new Plot(
                metric.id(),
                title,
                new Plot.Axes("endpoints", Plot.Scale.LOGARITHMIC, metric.unit().symbol()),
                results.of(metric).keySet().stream()
                        .map(Plot.Who::of)
                        .distinct()
                        .sorted()
                        .map(who -> line(who, results.curve(metric, who)))
                        .filter(line -> !line.points().isEmpty())
                        .toList());
    }

    private static Plot.Line line(Plot.Who who, SortedMap<Integer, Double> curve) {
        return new Plot.Line(
                who, Fit.of(curve).map(fit -> " ~ n^" + fit.text()).orElse(""), doubles(curve));
    }

    private static SortedMap<Double, Double> doubles(SortedMap<Integer, Double> points) {
        SortedMap<Double, Double> doubles = new TreeMap<>();
        points.forEach((x, y) -> doubles.put((double) x, y));
        return doubles;
    }

    /// Under the largest cluster that each was measured with.
    private static Plot percentiles(Results results) {
        SortedMap<Plot.Who, Cell> largest = new TreeMap<>();
        SortedMap<Cell, List<Figure>> changes = results.of(Metric.CHANGE);
        changes.keySet()
                .forEach(
                        cell ->
                                largest.merge(
                                        Plot.Who.of(cell),
                                        cell,
                                        (a, b) -> a.endpoints() > b.endpoints() ? a : b));
        List<Plot.Line> lines = new ArrayList<>();
        largest.forEach(
                (who, cell) ->
                        Results.together(results.of(Metric.CHANGE, cell))
                                .ifPresent(
                                        nanos ->
                                                lines.add(
                                                        new Plot.Line(
                                                                who,
                                                                ", " + cell.scale(),
                                                                percentiles(nanos)))));
        return new Plot(
                "change-percentiles",
                "One endpoint replaced → first packet, by percentile, largest cluster",
                new Plot.Axes("percentile", Plot.Scale.PERCENT, Metric.CHANGE.unit().symbol()),
                lines);
    }

    private static SortedMap<Double, Double> percentiles(Histogram nanos) {
        SortedMap<Double, Double> points = new TreeMap<>();
        for (double percentile : PERCENTILES) {
            points.put(percentile, Metric.CHANGE.unit().of(nanos.getValueAtPercentile(percentile)));
        }
        return points;
    }
}
