package dev.pointsman.sync;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/// How long the stages of a sync took, since start, all families together. Written by the loop's
/// thread, read from any.
public final class Stages {
    /// One stretch of the way from an event to the kernel.
    public enum Stage {
        PLAN,
        RENDER,
        COMMIT,
        /// From the arrival of the oldest event of a commit until the kernel has it.
        EVENT_TO_COMMIT
    }

    private final Map<Stage, Histogram> microseconds = new EnumMap<>(Stage.class);

    Stages() {
        for (Stage stage : Stage.values()) {
            microseconds.put(stage, new SynchronizedHistogram(2));
        }
    }

    void record(Stage stage, long nanos) {
        histogram(stage).recordValue(Math.max(0, nanos / 1000));
    }

    /// Microseconds, of every time the stage was passed.
    public Histogram histogram(Stage stage) {
        return Objects.requireNonNull(microseconds.get(stage));
    }

    /// One line: median, 99th percentile and longest of each stage.
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder();
        microseconds.forEach(
                (stage, histogram) -> {
                    if (histogram.getTotalCount() > 0) {
                        line.append(line.isEmpty() ? "" : "; ")
                                .append(stage.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                                .append(" p50 ")
                                .append(milliseconds(histogram.getValueAtPercentile(50)))
                                .append(", p99 ")
                                .append(milliseconds(histogram.getValueAtPercentile(99)))
                                .append(", max ")
                                .append(milliseconds(histogram.getMaxValue()))
                                .append(" ms");
                    }
                });
        return line.isEmpty() ? "nothing was committed" : line.toString();
    }

    private static String milliseconds(long micros) {
        return String.format(Locale.ROOT, "%.1f", micros / 1000.0);
    }
}
