package dev.pointsman.perf.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/// Two results, figure by figure: what both have, in the order of metrics and cells.
record Comparison(List<Row> rows) {
    Comparison {
        rows = List.copyOf(rows);
    }

    /// What can be said of B beside A.
    enum Verdict {
        LOWER("lower"),
        HIGHER("higher"),
        /// They differ by no more than runs of the same thing do.
        WITHIN_SPREAD("within the spread"),
        /// One run tells no spread.
        TOO_FEW_RUNS("too few runs");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }

        private static Verdict of(Range a, Range b) {
            if (a.runs() < 2 || b.runs() < 2) {
                return TOO_FEW_RUNS;
            }
            if (!b.isClearOf(a)) {
                return WITHIN_SPREAD;
            }
            return b.median() < a.median() ? LOWER : HIGHER;
        }
    }

    record Row(Metric metric, Cell cell, Range a, Range b) {
        Verdict verdict() {
            return Verdict.of(a, b);
        }

        /// B in terms of A; not a number where both are nothing.
        double ratio() {
            return b.median() / a.median();
        }
    }

    static Comparison of(Results a, Results b) {
        List<Row> rows = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            SortedMap<Cell, List<Figure>> there = b.of(metric);
            a.of(metric)
                    .forEach(
                            (cell, figures) -> {
                                if (there.containsKey(cell)) {
                                    rows.add(
                                            new Row(
                                                    metric,
                                                    cell,
                                                    Range.of(figures),
                                                    Range.of(there.get(cell))));
                                }
                            });
        }
        return new Comparison(rows);
    }
}
