package dev.pointsman.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Durations as Go writes them: `1h2m3.5s`, `300ms`, `0`.
final class GoDuration {
    private static final Pattern PART =
            Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|ms|s|m|h)");
    private static final Map<String, Long> NANOS =
            Map.of(
                    "ns", 1L,
                    "us", 1_000L,
                    "µs", 1_000L,
                    "ms", 1_000_000L,
                    "s", 1_000_000_000L,
                    "m", 60_000_000_000L,
                    "h", 3_600_000_000_000L);

    private GoDuration() {}

    /// @throws IllegalArgumentException when `text` is no duration; the message quotes it
    static Duration parse(String text) {
        String amount = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        if (amount.equals("0")) {
            return Duration.ZERO;
        }
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher part = PART.matcher(amount);
        int end = 0;
        while (part.lookingAt()) {
            long unit = Objects.requireNonNull(NANOS.get(part.group(2)));
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
            end = part.end();
            part.region(end, amount.length());
        }
        if (end == 0 || end != amount.length()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no duration (such as 30s, 1m30s or 500ms)");
        }
        Duration duration = Duration.ofNanos(nanos.longValue());
        return text.startsWith("-") ? duration.negated() : duration;
    }

    /// As Go prints it: `1h0m0s`, `90ms`.
    static String print(Duration duration) {
        if (duration.isNegative()) {
            return "-" + print(duration.negated());
        }
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            return fraction(duration);
        }
        String seconds =
                BigDecimal.valueOf(duration.toSecondsPart())
                                .add(BigDecimal.valueOf(duration.toNanosPart(), 9))
                                .stripTrailingZeros()
                                .toPlainString()
                        + "s";
        if (duration.toMinutes() == 0) {
            return seconds;
        }
        String minutes = duration.toMinutesPart() + "m" + seconds;
        return duration.toHours() == 0 ? minutes : duration.toHours() + "h" + minutes;
    }

    private static String fraction(Duration duration) {
        int nanos = duration.toNanosPart();
        if (nanos == 0) {
            return "0s";
        }
        int digits = nanos >= 1_000_000 ? 6 : nanos >= 1_000 ? 3 : 0;
        String unit = nanos >= 1_000_000 ? "ms" : nanos >= 1_000 ? "us" : "ns";
        return BigDecimal.valueOf(nanos, digits).stripTrailingZeros().toPlainString() + unit;
    }
}
