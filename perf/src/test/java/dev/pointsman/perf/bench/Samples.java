package dev.pointsman.perf.bench;

import dev.pointsman.perf.ClusterShape;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/// Figures that nobody measured.
final class Samples {
    static final Cell OURS = cell(1_000, Proxy.POINTSMAN);
    static final Cell THEIRS = cell(1_000, Proxy.KUBE_PROXY);

    private Samples() {}

    static Cell cell(int services, String proxy) {
        return new Cell("nftables", new ClusterShape(services, 5), proxy);
    }

    /// One figure for each round.
    static List<Figure> figures(Metric metric, Cell cell, double... values) {
        return Stream.iterate(0, i -> i < values.length, i -> i + 1)
                .map(i -> new Figure(metric, cell, i + 1, new Reading.Exact(values[i])))
                .toList();
    }

    static Figure times(Metric metric, Cell cell, long... nanos) {
        Histogram histogram = new Histogram(3);
        for (long each : nanos) {
            histogram.recordValue(each);
        }
        return new Figure(metric, cell, 1, new Reading.Times(histogram));
    }

    static Results results(List<List<Figure>> figures) {
        return new Results(
                "small",
                Map.of("kernel", "Linux 6.18", "commit", "0123456789ab"),
                figures.stream().flatMap(List::stream).toList());
    }
}
