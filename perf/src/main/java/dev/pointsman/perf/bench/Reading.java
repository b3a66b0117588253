package dev.pointsman.perf.bench;

import org.HdrHistogram.Histogram;

/// What one run gave for one metric.
sealed interface Reading {
    /// One number.
    ///
    /// @param value in the metric's unit
    record Exact(double value) implements Reading {}

    /// It did not happen while somebody waited.
    ///
    /// @param bound how long that was, in the metric's unit
    record Beyond(double bound) implements Reading {}

    /// Many times.
    ///
    /// @param nanos in nanoseconds
    record Times(Histogram nanos) implements Reading {
        public Times {
            if (nanos.getTotalCount() == 0) {
                throw new IllegalArgumentException("no time was taken");
            }
            nanos = nanos.copy();
        }
    }

    /// What stands for it where one number must: the median of many.
    default double middle(Metric.Unit unit) {
        return switch (this) {
            case Exact(double value) -> value;
            case Beyond(double bound) -> bound;
            case Times(var nanos) -> unit.of(nanos.getValueAtPercentile(50));
        };
    }
}
