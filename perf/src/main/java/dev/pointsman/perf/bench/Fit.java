package dev.pointsman.perf.bench;

import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import org.jfree.data.statistics.Regression;

/// The power law through some points.
///
/// @param exponent 1 where twice the size takes twice as long
record Fit(double exponent) {
    private static final int EXPONENT = 1;

    /// Nothing of fewer than three sizes, of which two always fit.
    static Optional<Fit> of(SortedMap<Integer, Double> bySize) {
        if (bySize.size() < 3) {
            return Optional.empty();
        }
        double[][] points =
                bySize.entrySet().stream()
                        .map(point -> new double[] {point.getKey(), point.getValue()})
                        .toArray(double[][]::new);
        return Optional.of(new Fit(Regression.getPowerRegression(points)[EXPONENT]));
    }

    String text() {
        return String.format(Locale.ROOT, "%.2f", exponent);
    }
}
