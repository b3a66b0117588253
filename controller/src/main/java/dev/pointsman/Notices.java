package dev.pointsman;

import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.notice.Notice;
import dev.pointsman.notice.Reason;
import dev.pointsman.store.Finding;
import dev.pointsman.sync.SyncReport;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What is worth an Event of all that happens.
final class Notices {
    private static final Pattern NAMESPACED =
            Pattern.compile("(?<kind>Service|EndpointSlice) (?<namespace>[^/ ]+)/(?<name>[^/ ]+)");

    private Notices() {}

    /// Those that come of `report`.
    static List<Notice> of(SyncReport report) {
        return switch (report) {
            case SyncReport.AwaitingNode _ ->
                    List.of(Notice.ofNode(Reason.NODE_UNKNOWN, report.toString()));
            case SyncReport.SetAside(var family, var service, var what, var why, _) ->
                    List.of(
                            Notice.ofService(
                                    service,
                                    Reason.RULES_REFUSED,
                                    family.title()
                                            + ": has no rules on this node, whose kernel refused "
                                            + what
                                            + ": "
                                            + why
                                            + "; tried again until it works"));
            case SyncReport.Restored(var family, var service) ->
                    List.of(
                            Notice.ofService(
                                    service,
                                    Reason.RULES_ACCEPTED,
                                    family.title()
                                            + ": has rules on this node, whose kernel had refused"
                                            + " them before"));
            case SyncReport.Contested contested -> conflicts(contested);
            case SyncReport.Removed _ ->
                    List.of(Notice.ofNode(Reason.RULES_REMOVED, report.toString()));
            case SyncReport.Failed(var family, var kind, var reason, _) ->
                    List.of(
                            Notice.ofNode(
                                    reason(kind),
                                    family.title()
                                            + ": "
                                            + reason
                                            + "; tried again until it works"));
            case SyncReport.CleanupFailed(var family, var reason, _) ->
                    List.of(
                            Notice.ofNode(
                                    Reason.FLOWS_LEFT,
                                    family.title() + ": stale UDP flows may be left: " + reason));
            case SyncReport.Committed _, SyncReport.FoundInPlace _, SyncReport.FlowsCleaned _ ->
                    List.of();
        };
    }

    private static Reason reason(SyncReport.Failed.Kind kind) {
        return switch (kind) {
            case COMMIT -> Reason.RULES_NOT_WRITTEN;
            case UNAVAILABLE -> Reason.KERNEL_UNREACHABLE;
            case UNEXPECTED -> Reason.BUG;
        };
    }

    /// One for each Service that loses.
    private static List<Notice> conflicts(SyncReport.Contested contested) {
        return contested.losers().stream()
                .map(ServicePortName::service)
                .distinct()
                .map(
                        loser ->
                                Notice.ofService(
                                        loser,
                                        Reason.CONFLICT,
                                        contested.frontend()
                                                + " is not served for it, because "
                                                + contested.winner()
                                                + " has the same address and port; change one of"
                                                + " them"))
                .toList();
    }

    /// The one that comes of `finding`: none if it is about no object that can be looked up.
    static Optional<Notice> of(Finding finding) {
        return subject(finding.object())
                .map(subject -> new Notice(subject, Reason.UNUSABLE, finding.note()));
    }

    private static Optional<Notice.Subject> subject(String object) {
        Matcher matcher = NAMESPACED.matcher(object);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String namespace = matcher.group("namespace");
        String name = matcher.group("name");
        return Optional.of(
                matcher.group("kind").equals("Service")
                        ? new Notice.Subject.OfService(new ServiceName(namespace, name))
                        : new Notice.Subject.OfSlice(namespace, name));
    }
}
