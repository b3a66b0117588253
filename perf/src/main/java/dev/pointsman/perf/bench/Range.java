package dev.pointsman.perf.bench;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/// What the runs of one cell gave for one metric, in its unit.
record Range(double least, double median, double most, int runs) {
    /// @param figures at least one
    static Range of(Collection<Figure> figures) {
        List<Double> sorted = figures.stream().map(Figure::middle).sorted().toList();
        int middle = sorted.size() / 2;
        double median =
                sorted.size() % 2 == 1
                        ? sorted.get(middle)
                        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return new Range(sorted.getFirst(), median, sorted.getLast(), sorted.size());
    }

    private double width() {
        return most - least;
    }

    /// Whether the two lie further apart than runs of either do among themselves.
    ///
    /// With two or three runs each, ranges that merely do not meet are no evidence: with two, one
    /// pair in three does so by chance.
    boolean isClearOf(Range other) {
        double gap = Math.max(least - other.most, other.least - most);
        return gap > Math.max(width(), other.width());
    }

    /// As in `812 ms (790–840)`.
    String text(Metric.Unit unit) {
        String middle = number(median) + (unit.symbol().isEmpty() ? "" : " " + unit.symbol());
        return least == most ? middle : middle + " (" + number(least) + "–" + number(most) + ")";
    }

    /// Three digits that mean something.
    static String number(double value) {
        if (value == Math.rint(value) || Math.abs(value) >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, Math.abs(value) >= 10 ? "%.1f" : "%.2f", value);
    }
}
