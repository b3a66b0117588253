package dev.pointsman.serve;

import dev.pointsman.graph.Family;
import dev.pointsman.sync.SyncNote;
import dev.pointsman.sync.SyncReport;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.Optional;

/// What is not the same in all modes.
///
/// @param reaches kube-proxy's mode ipvs does not tell the two kinds of sync apart
/// @param failures transactions that the kernel did not take
/// @param partial those of them that wrote what had changed, where they are counted apart
record ModeMetrics(Optional<Reaches> reaches, Counter failures, Optional<Counter> partial) {
    private static final String PREFIX = "kubeproxy_sync_";
    private static final String RULES = PREFIX + "proxy_rules_";

    /// Syncs of everything, and of what changed.
    private record Reaches(Histogram full, Histogram partial) {
        static Optional<Reaches> of(Instruments instruments) {
            return Optional.of(
                    new Reaches(
                            instruments.duration(
                                    PREFIX + "full_proxy_rules_duration_seconds",
                                    "How long a sync took that compared everything."),
                            instruments.duration(
                                    PREFIX + "partial_proxy_rules_duration_seconds",
                                    "How long a sync took that wrote what had changed.")));
        }

        void ran(SyncNote.Ran ran) {
            Instruments.observe(
                    switch (ran.reach()) {
                        case WHOLE_NODE -> full;
                        case THESE_SERVICES -> partial;
                    },
                    ran);
        }
    }

    /// @param mode by name
    static ModeMetrics of(String mode, Instruments instruments) {
        return switch (mode) {
            case "iptables" ->
                    new ModeMetrics(
                            Reaches.of(instruments),
                            restoreFailures(instruments),
                            Optional.of(
                                    instruments.counter(
                                            RULES + "iptables_partial_restore_failures_total",
                                            "Changes of some chains that the kernel did not"
                                                    + " take.")));
            case "ipvs" ->
                    new ModeMetrics(
                            Optional.empty(), restoreFailures(instruments), Optional.empty());
            default ->
                    new ModeMetrics(
                            Reaches.of(instruments),
                            instruments.counter(
                                    RULES + "nftables_sync_failures_total",
                                    "Transactions that the kernel did not take."),
                            Optional.empty());
        };
    }

    private static Counter restoreFailures(Instruments instruments) {
        return instruments.counter(
                RULES + "iptables_restore_failures_total",
                "Transactions that the kernel did not take.");
    }

    void ran(SyncNote.Ran ran) {
        reaches.ifPresent(each -> each.ran(ran));
    }

    void failed(Family family, SyncReport.Cause cause) {
        failures.labelValues(family.title()).inc();
        if (cause == SyncReport.Cause.CHANGE) {
            partial.ifPresent(counter -> counter.labelValues(family.title()).inc());
        }
    }
}
