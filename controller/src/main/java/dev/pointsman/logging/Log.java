package dev.pointsman.logging;

import dev.pointsman.config.Logging;
import dev.pointsman.notice.Notice;
import dev.pointsman.store.Finding;
import dev.pointsman.sync.SyncReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// Writes lines, from any thread. Format and verbosity change while it is written.
public final class Log {
    private static final JsonFactory JSON = new JsonFactory();

    private final PrintWriter out;
    private final InstantSource clock;
    private volatile Logging logging = Logging.DEFAULTS;

    public Log(PrintWriter out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
    }

    /// Goes on as `other` says.
    public void use(Logging other) {
        logging = other;
        LibraryLog.verbosity(other.verbosity());
    }

    /// Goes on with another verbosity.
    public void verbosity(int verbosity) {
        use(new Logging(logging.format(), verbosity));
    }

    public void say(String line) {
        write(LogEntry.of(line));
    }

    public void say(Finding finding) {
        write(LogEntry.of(finding));
    }

    public void say(SyncReport report) {
        write(LogEntry.of(report));
    }

    public void say(Notice notice) {
        write(LogEntry.of(notice));
    }

    void write(LogEntry entry) {
        Logging now = logging;
        if (entry.verbosity() > now.verbosity()) {
            return;
        }
        out.println(
                switch (now.format()) {
                    case TEXT -> text(entry, clock.instant());
                    case JSON -> json(entry, clock.instant());
                });
    }

    private static String text(LogEntry entry, Instant at) {
        String word = entry.severity().word();
        return at.truncatedTo(ChronoUnit.MILLIS)
                + (word.isEmpty() ? " " : " " + word + ": ")
                + entry.text();
    }

    /// As `k8s.io/component-base/logs/json` writes it: milliseconds as a number, and the verbosity
    /// of what is no error.
    private static String json(LogEntry entry, Instant at) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), line)) {
            json.writeStartObject();
            json.writeNumberProperty("ts", millis(at));
            json.writeStringProperty("msg", entry.text());
            switch (entry.severity()) {
                case INFO -> json.writeNumberProperty("v", entry.verbosity());
                case WARNING, ERROR ->
                        json.writeStringProperty("severity", entry.severity().word());
            }
            entry.values().forEach(json::writeStringProperty);
            json.writeEndObject();
        }
        return line.toString();
    }

    private static BigDecimal millis(Instant at) {
        return BigDecimal.valueOf(ChronoUnit.MICROS.between(Instant.EPOCH, at), 3);
    }
}
