package dev.pointsman.serve;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.kube.ServerNote;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.sync.Stages;
import dev.pointsman.sync.SyncNote;
import dev.pointsman.sync.SyncReport;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/// kube-proxy's metrics (behaviour document 6.4), as far as they have a meaning here, and our own.
/// Written on the loop's thread, read on any.
final class Metrics {
    static final String FAMILY = "ip_family";
    private static final double NANOS = 1e9;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Graphs graphs;

    private final Histogram sync =
            duration("sync_proxy_rules_duration_seconds", "How long a sync took.");
    private final Gauge lastSync =
            gauge(
                    "sync_proxy_rules_last_timestamp_seconds",
                    "When the kernel last held everything.");
    private final Gauge lastQueued =
            gauge(
                    "sync_proxy_rules_last_queued_timestamp_seconds",
                    "When something was last queued for the kernel.");
    private final Histogram cleanups =
            duration(
                    "conntrack_reconciler_sync_duration_seconds",
                    "How long a clean-up of UDP flows took.");
    private final Counter deletedFlows =
            Counter.builder()
                    .name("kubeproxy_conntrack_reconciler_deleted_entries_total")
                    .help("UDP flows that were stale and are deleted.")
                    .labelNames(FAMILY)
                    .register(registry);
    private final Waiting services;
    private final Waiting slices;
    private final Counter healthz =
            answers("proxy_healthz_total", "Answers of /healthz by status.");
    private final Counter livez = answers("proxy_livez_total", "Answers of /livez by status.");
    private final ProgrammingLatency programming;
    private final ApiServerMetrics apiServer;
    private final OfMode ofMode;

    private final Gauge frontends =
            own("pointsman_frontends", "Addresses and ports that the kernel has rules for.");
    private final Gauge setAside =
            own(
                    "pointsman_set_aside_services",
                    "Services without rules, because the kernel refused them.");
    private final Gauge conflicts =
            own("pointsman_conflicts", "Addresses and ports that several Services claim.");
    private final Counter failures =
            Counter.builder()
                    .name("pointsman_sync_failures_total")
                    .help(
                            "Syncs after which the kernel was not known to hold everything, by where it failed.")
                    .labelNames(FAMILY, "kind")
                    .register(registry);

    /// Facts of one kind that were taken in and are not planned yet.
    private final class Waiting {
        private final Counter total;
        private final Gauge pending;
        private final Set<Object> names = new HashSet<>();

        Waiting(String kind, String help) {
            total =
                    Counter.builder()
                            .name("kubeproxy_sync_proxy_rules_" + kind + "_changes_total")
                            .help("Changes of " + help + " that were seen.")
                            .register(registry);
            pending =
                    Gauge.builder()
                            .name("kubeproxy_sync_proxy_rules_" + kind + "_changes_pending")
                            .help("Changes of " + help + " that are not planned yet.")
                            .register(registry);
        }

        void arrived(Object name) {
            total.inc();
            names.add(name);
            pending.set(names.size());
        }

        void none() {
            if (!names.isEmpty()) {
                names.clear();
                pending.set(0);
            }
        }
    }

    /// What is not the same in all modes.
    ///
    /// @param reaches kube-proxy's mode ipvs does not tell the two kinds of sync apart
    /// @param failures transactions that the kernel did not take
    /// @param partial those of them that wrote what had changed, where they are counted apart
    private record OfMode(Optional<Reaches> reaches, Counter failures, Optional<Counter> partial) {
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

    private OfMode ofMode(String mode) {
        return switch (mode) {
            case "iptables" ->
                    new OfMode(
                            Optional.of(new Reaches()),
                            restoreFailures(),
                            Optional.of(
                                    failures(
                                            "iptables_partial_restore_failures_total",
                                            "Changes of some chains that the kernel did not"
                                                    + " take.")));
            case "ipvs" -> new OfMode(Optional.empty(), restoreFailures(), Optional.empty());
            default ->
                    new OfMode(
                            Optional.of(new Reaches()),
                            failures(
                                    "nftables_sync_failures_total",
                                    "Transactions that the kernel did not take."),
                            Optional.empty());
        };
    }

    /// Syncs of everything, and of what changed.
    private final class Reaches {
        private final Histogram full =
                duration(
                        "sync_full_proxy_rules_duration_seconds",
                        "How long a sync took that compared everything.");
        private final Histogram partial =
                duration(
                        "sync_partial_proxy_rules_duration_seconds",
                        "How long a sync took that wrote what had changed.");

        void ran(SyncNote.Ran ran) {
            Histogram histogram =
                    switch (ran.reach()) {
                        case WHOLE_NODE -> full;
                        case THESE_SERVICES -> partial;
                    };
            observe(histogram, ran);
        }
    }

    /// @param nanos a clock that only goes forward
    /// @param start of the process: what came about before is not its delay
    Metrics(
            String mode,
            Collection<Family> families,
            Graphs graphs,
            LongSupplier nanos,
            Instant start) {
        this.graphs = graphs;
        programming = new ProgrammingLatency(registry, start);
        apiServer = new ApiServerMetrics(registry, nanos);
        services = new Waiting("service", "Services");
        slices = new Waiting("endpoint", "EndpointSlices");
        ofMode = ofMode(mode);
        collectFromGraphs();
        families.forEach(this::start);
    }

    /// Shows what the loop measures, too.
    void measures(Stages stages) {
        registry.register(new StageSummary(stages));
    }

    /// Shows what the machine says of this process, too.
    void measuresProcess(Program program) {
        ProcessMetrics.builder().register(registry);
        GaugeWithCallback.builder()
                .name("pointsman_build_info")
                .help("Always 1: which Pointsman this is, and which Java it runs on.")
                .labelNames("version", "java_version")
                .callback(to -> to.call(1, program.version(), program.runtime()))
                .register(registry);
    }

    /// A series that is there from the start says zero; one that is missing says nothing.
    private void start(Family family) {
        String label = family.title();
        sync.initLabelValues(label);
        programming.start(family);
        cleanups.initLabelValues(label);
        deletedFlows.initLabelValues(label);
        for (Gauge gauge : new Gauge[] {frontends, setAside, conflicts}) {
            gauge.initLabelValues(label);
        }
        for (SyncReport.Failed.Kind kind : SyncReport.Failed.Kind.values()) {
            failures.initLabelValues(label, kind.name().toLowerCase(Locale.ROOT));
        }
    }

    private void collectFromGraphs() {
        GaugeWithCallback.builder()
                .name("kubeproxy_sync_proxy_rules_no_local_endpoints_total")
                .help("Service ports with policy Local that have endpoints, but none on this node.")
                .labelNames(FAMILY, "traffic_policy")
                .callback(
                        to -> {
                            for (RuleGraph graph : graphs.all()) {
                                GraphCount count = GraphCount.of(graph);
                                String family = graph.family().title();
                                to.call(count.withoutLocalInside(), family, "internal");
                                to.call(count.withoutLocalOutside(), family, "external");
                            }
                        })
                .register(registry);
        perGraph(
                "pointsman_endpoint_slots",
                "Places for endpoints in the kernel, of all lists together.",
                graph -> GraphCount.of(graph).slots());
        perGraph(
                "pointsman_health_check_node_ports",
                "Health-check node ports that Services ask for.",
                graph -> graph.healthChecks().size());
    }

    private void perGraph(String name, String help, ToIntFunction<RuleGraph> count) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(FAMILY)
                .callback(
                        to ->
                                graphs.all()
                                        .forEach(
                                                graph ->
                                                        to.call(
                                                                count.applyAsInt(graph),
                                                                graph.family().title())))
                .register(registry);
    }

    void arrived(ClusterEvent event) {
        switch (event) {
            case ClusterEvent.ServiceSeen(var service) -> services.arrived(service.name());
            case ClusterEvent.ServiceGone(var name) -> services.arrived(name);
            case ClusterEvent.SliceSeen(var slice, _) ->
                    slices.arrived(slice.service().namespace() + "/" + slice.name());
            case ClusterEvent.SliceGone(var namespace, var name) ->
                    slices.arrived(namespace + "/" + name);
            case ClusterEvent.NodeSeen _,
                    ClusterEvent.NodeGone _,
                    ClusterEvent.ServiceRangesSeen _,
                    ClusterEvent.ServiceRangesGone _ -> {}
        }
    }

    void nothingWaits() {
        services.none();
        slices.none();
    }

    void queued(Family family, Instant now) {
        lastQueued.labelValues(family.title()).set(seconds(now));
    }

    void answered(SyncNote.Answered answered) {
        switch (answered.answer()) {
            case Commit.Applied _ -> {}
            case Commit.Busy _, Commit.Refused _, Commit.Torn _ ->
                    ofMode.failed(answered.family(), answered.cause());
        }
    }

    void settled(SyncNote.Settled settled, Instant now) {
        String family = settled.family().title();
        lastSync.labelValues(family).set(seconds(now));
        frontends.labelValues(family).set(settled.graph().frontends().size());
        setAside.labelValues(family).set(settled.setAside().size());
        conflicts.labelValues(family).set(settled.conflicts());
    }

    /// What the conversation with an API server is to tell of itself.
    Consumer<ServerNote> apiServer() {
        return apiServer;
    }

    void ran(SyncNote.Ran ran) {
        observe(sync, ran);
        ofMode.ran(ran);
    }

    void programmed(Family family, List<Instant> triggers, Instant now) {
        programming.programmed(family, triggers, now);
    }

    /// Counts what operators are told.
    void count(SyncReport report) {
        switch (report) {
            case SyncReport.Failed failed -> failed(failed);
            case SyncReport.FlowsCleaned cleaned -> cleaned(cleaned);
            default -> {}
        }
    }

    private void failed(SyncReport.Failed failed) {
        failures.labelValues(failed.family().title(), failed.kind().name().toLowerCase(Locale.ROOT))
                .inc();
    }

    private void cleaned(SyncReport.FlowsCleaned cleaned) {
        String family = cleaned.family().title();
        cleanups.labelValues(family).observe(seconds(cleaned.took()));
        deletedFlows.labelValues(family).inc(cleaned.result().deleted());
    }

    void healthzAnswered(int status) {
        healthz.labelValues(String.valueOf(status)).inc();
    }

    void livezAnswered(int status) {
        livez.labelValues(String.valueOf(status)).inc();
    }

    Answer page() {
        return PrometheusText.page(registry);
    }

    private static void observe(Histogram histogram, SyncNote.Ran ran) {
        histogram.labelValues(ran.family().title()).observe(seconds(ran.took()));
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / NANOS;
    }

    static double seconds(Instant instant) {
        return instant.getEpochSecond() + instant.getNano() / NANOS;
    }

    private Histogram duration(String name, String help) {
        return Histogram.builder()
                .name("kubeproxy_" + name)
                .help(help)
                .labelNames(FAMILY)
                .classicOnly()
                .classicExponentialUpperBounds(0.001, 2, 15)
                .register(registry);
    }

    private Gauge gauge(String name, String help) {
        return own("kubeproxy_" + name, help);
    }

    private Gauge own(String name, String help) {
        return Gauge.builder().name(name).help(help).labelNames(FAMILY).register(registry);
    }

    private Counter answers(String name, String help) {
        return Counter.builder()
                .name("kubeproxy_" + name)
                .help(help)
                .labelNames("code")
                .register(registry);
    }

    private Counter restoreFailures() {
        return failures(
                "iptables_restore_failures_total", "Transactions that the kernel did not take.");
    }

    private Counter failures(String name, String help) {
        return Counter.builder()
                .name("kubeproxy_sync_proxy_rules_" + name)
                .help(help)
                .labelNames(FAMILY)
                .register(registry);
    }
}
