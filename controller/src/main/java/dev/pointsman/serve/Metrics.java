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
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/// kube-proxy's metrics (behaviour document 6.4), as far as they have a meaning here, and our own.
/// Written on the loop's thread, read on any.
final class Metrics {
    private static final String FAMILY = Instruments.FAMILY;

    /// What the looks between syncs noticed.
    private static final String REMOVED = "removed";

    /// What only a comparison of everything found.
    private static final String DIFFERED = "differed";

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Instruments instruments = new Instruments(registry);
    private final Graphs graphs;

    private final Histogram sync =
            instruments.duration(
                    "kubeproxy_sync_proxy_rules_duration_seconds", "How long a sync took.");
    private final Gauge lastSync =
            instruments.gauge(
                    "kubeproxy_sync_proxy_rules_last_timestamp_seconds",
                    "When the kernel last held everything.");
    private final Gauge lastQueued =
            instruments.gauge(
                    "kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds",
                    "When something was last queued for the kernel.");
    private final Histogram cleanups =
            instruments.duration(
                    "kubeproxy_conntrack_reconciler_sync_duration_seconds",
                    "How long a clean-up of UDP flows took.");
    private final Counter deletedFlows =
            instruments.counter(
                    "kubeproxy_conntrack_reconciler_deleted_entries_total",
                    "UDP flows that were stale and are deleted.");
    private final WaitingFacts services = new WaitingFacts(registry, "service", "Services");
    private final WaitingFacts slices = new WaitingFacts(registry, "endpoint", "EndpointSlices");
    private final Counter healthz =
            answers("proxy_healthz_total", "Answers of /healthz by status.");
    private final Counter livez = answers("proxy_livez_total", "Answers of /livez by status.");
    private final ProgrammingLatency programming;
    private final ApiServerMetrics apiServer;
    private final ModeMetrics ofMode;

    private final Gauge frontends =
            instruments.gauge(
                    "pointsman_frontends", "Addresses and ports that the kernel has rules for.");
    private final Gauge setAside =
            instruments.gauge(
                    "pointsman_set_aside_services",
                    "Services without rules, because the kernel refused them.");
    private final Gauge conflicts =
            instruments.gauge(
                    "pointsman_conflicts", "Addresses and ports that several Services claim.");
    private final Counter failures =
            Counter.builder()
                    .name("pointsman_sync_failures_total")
                    .help(
                            "Syncs after which the kernel was not known to hold everything, by where it failed.")
                    .labelNames(FAMILY, "kind")
                    .register(registry);

    private final Counter drift =
            Counter.builder()
                    .name("pointsman_drift_total")
                    .help(
                            "How often the kernel held something else than was written, because"
                                    + " somebody else wrote; by how it was noticed.")
                    .labelNames(FAMILY, "kind")
                    .register(registry);

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
        ofMode = ModeMetrics.of(mode, instruments);
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
        drift.initLabelValues(label, REMOVED);
        drift.initLabelValues(label, DIFFERED);
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
        lastQueued.labelValues(family.title()).set(Instruments.seconds(now));
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
        lastSync.labelValues(family).set(Instruments.seconds(now));
        frontends.labelValues(family).set(settled.graph().frontends().size());
        setAside.labelValues(family).set(settled.setAside().size());
        conflicts.labelValues(family).set(settled.conflicts());
    }

    /// What the conversation with an API server is to tell of itself.
    Consumer<ServerNote> apiServer() {
        return apiServer;
    }

    void ran(SyncNote.Ran ran) {
        Instruments.observe(sync, ran);
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
            case SyncReport.Removed(var family) -> drift.labelValues(family.title(), REMOVED).inc();
            case SyncReport.Committed committed -> committed(committed);
            case SyncReport.AwaitingNode _,
                    SyncReport.FoundInPlace _,
                    SyncReport.SetAside _,
                    SyncReport.Restored _,
                    SyncReport.Contested _,
                    SyncReport.CleanupFailed _ -> {}
        }
    }

    private void committed(SyncReport.Committed committed) {
        switch (committed.cause()) {
            case AUDIT -> drift.labelValues(committed.family().title(), DIFFERED).inc();
            case CHANGE, REPAIR -> {}
        }
    }

    private void failed(SyncReport.Failed failed) {
        failures.labelValues(failed.family().title(), failed.kind().name().toLowerCase(Locale.ROOT))
                .inc();
    }

    private void cleaned(SyncReport.FlowsCleaned cleaned) {
        String family = cleaned.family().title();
        cleanups.labelValues(family).observe(Instruments.seconds(cleaned.took()));
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

    private Counter answers(String name, String help) {
        return Counter.builder()
                .name("kubeproxy_" + name)
                .help(help)
                .labelNames("code")
                .register(registry);
    }
}
