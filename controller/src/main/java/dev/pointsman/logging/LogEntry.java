package dev.pointsman.logging;

import dev.pointsman.graph.Family;
import dev.pointsman.notice.Notice;
import dev.pointsman.store.Finding;
import dev.pointsman.sync.SyncReport;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Something to say in the log.
///
/// @param verbosity from which on it is said, as klog counts; warnings and errors have 0
/// @param text one line, which says everything
/// @param values what programs may want to filter by; a part of the text, or where it comes from
record LogEntry(Severity severity, int verbosity, String text, SortedMap<String, String> values) {

    /// What happens all the time in a busy cluster, and is worth knowing.
    private static final int STEADY = 2;

    /// What only who looks for a fault wants to know.
    private static final int DEBUG = 4;

    /// How bad it is.
    enum Severity {
        INFO(""),
        WARNING("warning"),
        ERROR("error");

        private final String word;

        Severity(String word) {
            this.word = word;
        }

        /// Empty where nothing is bad.
        String word() {
            return word;
        }
    }

    LogEntry {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    private LogEntry(Severity severity, int verbosity, Object text) {
        this(severity, verbosity, text.toString(), new TreeMap<>());
    }

    private LogEntry with(Map<String, String> more) {
        SortedMap<String, String> all = new TreeMap<>(values);
        more.forEach(
                (name, value) -> {
                    if (!value.isEmpty()) {
                        all.put(name, value);
                    }
                });
        return new LogEntry(severity, verbosity, text, all);
    }

    private LogEntry with(Family family) {
        return with(Map.of("ipFamily", family.title()));
    }

    static LogEntry of(String text) {
        return new LogEntry(Severity.INFO, 0, text);
    }

    static LogEntry of(Finding finding) {
        Severity severity =
                switch (finding.severity()) {
                    case ERROR -> Severity.ERROR;
                    case WARNING -> Severity.WARNING;
                    case NOTE -> Severity.INFO;
                };
        return new LogEntry(severity, 0, finding.line())
                .with(
                        Map.of(
                                "object",
                                finding.object(),
                                "field",
                                finding.field(),
                                "where",
                                finding.where()));
    }

    static LogEntry of(Notice notice) {
        Severity severity =
                switch (notice.reason().type()) {
                    case NORMAL -> Severity.INFO;
                    case WARNING -> Severity.WARNING;
                };
        return new LogEntry(severity, 0, notice).with(Map.of("reason", notice.reason().title()));
    }

    static LogEntry of(SyncReport report) {
        return switch (report) {
            case SyncReport.AwaitingNode _ -> new LogEntry(Severity.WARNING, 0, report);
            case SyncReport.Committed committed ->
                    new LogEntry(
                                    Severity.INFO,
                                    switch (committed.cause()) {
                                        case CHANGE -> STEADY;
                                        case REPAIR, AUDIT -> 0;
                                    },
                                    report)
                            .with(committed.family());
            case SyncReport.FoundInPlace found ->
                    new LogEntry(Severity.INFO, 0, report).with(found.family());
            case SyncReport.SetAside aside ->
                    new LogEntry(Severity.WARNING, 0, report)
                            .with(aside.family())
                            .with(
                                    Map.of(
                                            "service",
                                            aside.service().toString(),
                                            "err",
                                            aside.why()));
            case SyncReport.Restored restored ->
                    new LogEntry(Severity.INFO, 0, report)
                            .with(restored.family())
                            .with(Map.of("service", restored.service().toString()));
            case SyncReport.Contested contested ->
                    new LogEntry(Severity.WARNING, 0, report)
                            .with(contested.family())
                            .with(Map.of("frontend", contested.frontend().toString()));
            case SyncReport.Removed removed ->
                    new LogEntry(Severity.WARNING, 0, report).with(removed.family());
            case SyncReport.Failed failed ->
                    new LogEntry(Severity.ERROR, 0, report)
                            .with(failed.family())
                            .with(Map.of("err", failed.reason()));
            case SyncReport.FlowsCleaned cleaned ->
                    new LogEntry(
                                    Severity.INFO,
                                    cleaned.isRoutine()
                                            ? DEBUG
                                            : cleaned.result().remarks().isEmpty() ? STEADY : 0,
                                    report)
                            .with(cleaned.family());
            case SyncReport.CleanupFailed failed ->
                    new LogEntry(Severity.WARNING, 0, report)
                            .with(failed.family())
                            .with(Map.of("err", failed.reason()));
        };
    }
}
