package dev.pointsman.config;

import java.time.Duration;

/// What is logged, and how.
///
/// @param verbosity as klog counts: 0 says the least
public record Logging(Format format, int verbosity) {
    /// What a line of the log looks like.
    public enum Format {
        TEXT,
        JSON
    }

    /// What kube-proxy does when nobody says otherwise.
    public static final Logging DEFAULTS = new Logging(Format.TEXT, 0);

    private static final FieldType<Format> FORMAT =
            FieldType.printed(
                    Logging::format,
                    format ->
                            switch (format) {
                                case TEXT -> "text";
                                case JSON -> "json";
                            });

    private static final Duration FLUSHED = Duration.ofSeconds(5);

    private static final FieldType<Duration> FLUSH_FREQUENCY =
            FieldType.printed(Logging::flushFrequency, GoDuration::print)
                    .withZero(Duration.ZERO, FLUSHED);

    static Logging read(Fields fields) {
        fields.value("logging.flushFrequency", FLUSHED, FLUSH_FREQUENCY);
        fields.accept("logging.vmodule");
        for (String format : new String[] {"json", "text"}) {
            fields.accept("logging.options." + format + ".splitStream");
            fields.accept("logging.options." + format + ".infoBufferSize");
        }
        return new Logging(
                fields.value("logging.format", DEFAULTS.format(), FORMAT),
                fields.value(
                        "logging.verbosity",
                        DEFAULTS.verbosity(),
                        FieldType.count(0, Integer.MAX_VALUE)));
    }

    private static Format format(String text) {
        return switch (text) {
            case "text" -> Format.TEXT;
            case "json" -> Format.JSON;
            default -> throw new IllegalArgumentException("\"" + text + "\" is none of text, json");
        };
    }

    /// A number without a unit counts nanoseconds there.
    private static Duration flushFrequency(String text) {
        return text.matches("\\d{1,18}")
                ? Duration.ofNanos(Long.parseLong(text))
                : FieldType.PERIOD.parse().apply(text);
    }
}
