package dev.pointsman.perf;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/// The time that stages took, and the bytes that they allocated, over many passages on one thread.
final class Spent {
    /// From what an API server sends to what the kernel answers.
    enum Stage {
        DECODE,
        DECIDE,
        RENDER,
        ENCODE,
        KERNEL
    }

    private record Stretch(Histogram nanos, Histogram bytes) {}

    private static final String COLUMN = " %10s";
    private static final int MEDIAN = 50;
    private static final ThreadMXBean THREADS =
            ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    private final Map<Stage, Stretch> stretches = new EnumMap<>(Stage.class);

    Spent() {
        for (Stage stage : Stage.values()) {
            stretches.put(stage, new Stretch(new Histogram(3), new Histogram(3)));
        }
    }

    /// Does `work` as one passage of `stage`.
    <T> T on(Stage stage, Supplier<T> work) {
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        long begun = System.nanoTime();
        T made = work.get();
        long taken = System.nanoTime() - begun;
        Stretch stretch = Objects.requireNonNull(stretches.get(stage));
        stretch.nanos().recordValue(taken);
        stretch.bytes().recordValue(THREADS.getCurrentThreadAllocatedBytes() - bytes);
        return made;
    }

    /// Above what [#nanos] and [#bytes] give.
    static String heading() {
        StringBuilder line = new StringBuilder(label(""));
        for (Stage stage : Stage.values()) {
            line.append(COLUMN.formatted(stage.name().toLowerCase(Locale.ROOT)));
        }
        return line.append(COLUMN.formatted("together")).toString();
    }

    /// Median times, and their sum.
    ///
    /// @param unit in nanoseconds
    String nanos(String label, double unit) {
        return line(label, Stretch::nanos, "%.1f", unit);
    }

    /// Median bytes, and their sum.
    String bytes(String label) {
        return line(label, Stretch::bytes, "%.0f", 1);
    }

    private String line(
            String label, Function<Stretch, Histogram> which, String format, double unit) {
        StringBuilder line = new StringBuilder(label(label));
        double sum = 0;
        for (Stretch stretch : stretches.values()) {
            double median = which.apply(stretch).getValueAtPercentile(MEDIAN) / unit;
            sum += median;
            line.append(COLUMN.formatted(format.formatted(median)));
        }
        return line.append(COLUMN.formatted(format.formatted(sum))).toString();
    }

    private static String label(String label) {
        return "%-32s".formatted(label);
    }
}
