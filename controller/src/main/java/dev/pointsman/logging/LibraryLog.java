package dev.pointsman.logging;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/// What libraries log, as lines of ours while it is open: they write to SLF4J or to the JDK, and
/// both end in `java.util.logging`.
///
/// Their debug lines are shown at no verbosity: there is no telling which secrets are in them.
public final class LibraryLog extends Handler implements AutoCloseable {
    private static final int INFORMED = 2;

    private static final Logger ROOT = Logger.getLogger("");

    private final Formatter formatter = new SimpleFormatter();
    private final List<Handler> before = List.of(ROOT.getHandlers());
    private final Level levelBefore = ROOT.getLevel();
    private final Log log;

    private LibraryLog(Log log) {
        this.log = log;
    }

    /// Takes the place of whatever prints such lines, until it is closed.
    public static LibraryLog into(Log log) {
        LibraryLog ours = new LibraryLog(log);
        ours.before.forEach(ROOT::removeHandler);
        ROOT.addHandler(ours);
        return ours;
    }

    static void verbosity(int verbosity) {
        ROOT.setLevel(verbosity < INFORMED ? Level.WARNING : Level.INFO);
    }

    @Override
    public void publish(LogRecord entry) {
        LogEntry.Severity severity = severity(entry.getLevel().intValue());
        SortedMap<String, String> values = new TreeMap<>();
        values.put("logger", String.valueOf(entry.getLoggerName()));
        if (entry.getThrown() != null) {
            values.put("err", described(entry.getThrown()));
        }
        String cause = values.getOrDefault("err", "");
        log.write(
                new LogEntry(
                        severity,
                        switch (severity) {
                            case INFO -> INFORMED;
                            case WARNING, ERROR -> 0;
                        },
                        (values.get("logger")
                                        + ": "
                                        + formatter.formatMessage(entry)
                                        + (cause.isEmpty() ? "" : ": " + cause))
                                .replaceAll("\\s*\\R\\s*", "; "),
                        values));
    }

    private static LogEntry.Severity severity(int level) {
        if (level >= Level.SEVERE.intValue()) {
            return LogEntry.Severity.ERROR;
        }
        return level >= Level.WARNING.intValue()
                ? LogEntry.Severity.WARNING
                : LogEntry.Severity.INFO;
    }

    /// With the place that a report of it needs.
    private static String described(Throwable thrown) {
        return Arrays.stream(thrown.getStackTrace())
                .findFirst()
                .map(place -> thrown + " at " + place)
                .orElseGet(thrown::toString);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        ROOT.removeHandler(this);
        before.forEach(ROOT::addHandler);
        ROOT.setLevel(levelBefore);
    }
}
