package dev.pointsman;

import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.config.Serving;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Family;
import dev.pointsman.kube.ApiServer;
import dev.pointsman.kube.KubeFeed;
import dev.pointsman.kube.SnapshotReader;
import dev.pointsman.serve.NodeServers;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.ClusterListener;
import dev.pointsman.store.Finding;
import dev.pointsman.sync.ExitSignal;
import dev.pointsman.sync.FeedThreads;
import dev.pointsman.sync.FileWatch;
import dev.pointsman.sync.Outcome;
import dev.pointsman.sync.Pace;
import dev.pointsman.sync.SyncLoop;
import dev.pointsman.sync.SyncNote;
import dev.pointsman.sync.SyncReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `pointsman run`.
@Command(
        name = "run",
        description = {
            "Programs the kernel of this network namespace with the Service rules of a node, and"
                    + " keeps it so.",
            "SIGTERM and SIGINT end it and leave the rules in place; cleanup removes them."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:ended by a signal; with --once: everything is in place",
            "1:with --once: in place but for Services that the kernel refused",
            "2:bad usage or input, or the Node is unknown; with --once also: the snapshot is"
                    + " incomplete",
            "3:the kernel cannot be reached, or bindAddressHardFail is set and an address is taken;"
                    + " with --once also: the kernel refused",
        })
final class RunCommand implements Callable<Integer> {
    private static final Duration POLL = Duration.ofSeconds(2);

    // kube-proxy's in every mode.
    private static final Duration DEFAULT_SYNC_PERIOD = Duration.ofSeconds(30);

    private final Surroundings around;
    private final Set<Family> reached = EnumSet.noneOf(Family.class);
    private final Set<Family> neverReached = EnumSet.noneOf(Family.class);

    private final List<SyncReport.Failed> unsaid = new ArrayList<>();

    @Mixin RuleOptions rules = new RuleOptions();

    @ArgGroup Source source = new Source();

    /// Where the cluster is read from; the API server of this cluster if neither is given.
    static final class Source {
        @Option(
                names = "--snapshot",
                paramLabel = "PATH",
                arity = "1..*",
                description =
                        "Files or folders with the cluster in them, read again when they change.")
        List<String> snapshots = new ArrayList<>();

        @Option(
                names = "--kubeconfig",
                paramLabel = "FILE",
                description =
                        "How to reach the API server (over the configuration's"
                                + " clientConnection.kubeconfig); the one of this cluster if run"
                                + " in a Pod.")
        String kubeconfig = "";
    }

    @Mixin ServeOptions servers = new ServeOptions();

    @Option(names = "--once", description = "Sync once and exit.")
    boolean once;

    RunCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        List<Finding> findings = new ArrayList<>();
        ProxyConfiguration configuration = rules.configuration(findings);
        Mode mode = rules.mode(configuration, around.modes().get());
        String node =
                rules.nodeName(configuration)
                        .orElseGet(() -> around.hostname().get().toLowerCase(Locale.ROOT));
        findings.forEach(this::say);
        if (once) {
            try (SyncLoop loop = loop(node, configuration, mode, this::report, _ -> {})) {
                return follow(loop, node, configuration);
            }
        }
        Serving serving = servers.over(configuration.serving());
        try (NodeServers open = servers(configuration.withServing(serving), mode);
                SyncLoop loop =
                        loop(
                                node,
                                configuration,
                                mode,
                                report -> {
                                    open.count(report);
                                    report(report);
                                },
                                open.notes())) {
            List<String> failures = open.open(loop.stages(), loop::oldestUnread);
            if (!failures.isEmpty()) {
                throw new Complaint(Exit.UNREACHABLE, failures);
            }
            return follow(loop, node, configuration);
        }
    }

    private NodeServers servers(ProxyConfiguration configuration, Mode mode) {
        return new NodeServers(
                new NodeServers.Subject(
                        configuration.serving(),
                        mode.name(),
                        rules.families(),
                        configuration.auditPeriod().orElse(DEFAULT_SYNC_PERIOD).multipliedBy(2),
                        ConfigText.json(configuration),
                        mode::dataplane),
                new NodeServers.World(around.nanos(), around.clock(), this::say));
    }

    private int follow(SyncLoop loop, String node, ProxyConfiguration configuration)
            throws InterruptedException, IOException {
        return source.snapshots.isEmpty()
                ? followServer(loop, node, configuration)
                : followFiles(loop, node);
    }

    private SyncLoop loop(
            String node,
            ProxyConfiguration configuration,
            Mode mode,
            Consumer<SyncReport> reports,
            Consumer<SyncNote> notes) {
        SortedMap<Family, Dataplane> dataplanes = new TreeMap<>();
        rules.families().forEach(family -> dataplanes.put(family, mode.dataplane(family)));
        Pace pace =
                new Pace(
                        configuration.minSyncPeriod(),
                        Pace.DEFAULT.look(),
                        configuration.auditPeriod().orElse(Pace.DEFAULT.audit()));
        return new SyncLoop(
                node, configuration.settings(), pace, dataplanes, around.nanos(), reports, notes);
    }

    private int followFiles(SyncLoop loop, String node) throws InterruptedException, IOException {
        if (source.snapshots.contains(SnapshotReader.STDIN) && !once) {
            throw Complaint.ofInput(
                    "--snapshot: standard input cannot be read again when it changes; give a file,"
                            + " or --once");
        }
        SnapshotFeed feed = new SnapshotFeed(source.snapshots, around.in(), loop, this::say);
        if (once) {
            feed.start(node)
                    .ifPresent(
                            gap -> {
                                throw Complaint.ofInput(
                                        "--snapshot: "
                                                + gap
                                                + "; nothing was written and what the kernel holds"
                                                + " stays");
                            });
            return keep(loop);
        }
        List<Path> paths = source.snapshots.stream().map(Path::of).toList();
        // The watch comes first: a file completed right after it was read would never be read
        // again.
        try (FileWatch _ = new FileWatch(paths, POLL, feed::reread)) {
            feed.start(node).ifPresent(feed::refuse);
            return keep(loop);
        }
    }

    private int followServer(SyncLoop loop, String node, ProxyConfiguration configuration)
            throws InterruptedException {
        ClusterListener listener =
                new ClusterListener() {
                    @Override
                    public void event(ClusterEvent event) {
                        loop.take(List.of(event));
                    }

                    @Override
                    public void finding(Finding finding) {
                        say(finding);
                    }

                    @Override
                    public void synced() {
                        loop.listed();
                    }
                };
        try (ApiServer server = server(configuration);
                FeedThreads threads = new FeedThreads()) {
            say("watching " + server.address() + " for Node " + node);
            new KubeFeed(server, node, listener, around.chance(), threads::sleep).start(threads);
            return keep(loop);
        }
    }

    private ApiServer server(ProxyConfiguration configuration) {
        String file = source.kubeconfig.isEmpty() ? configuration.kubeconfig() : source.kubeconfig;
        if (file.isEmpty()) {
            if (!around.environment().containsKey("KUBERNETES_SERVICE_HOST")) {
                throw Complaint.ofInput(
                        "this is no Pod of a cluster; give --kubeconfig FILE, or --snapshot PATH");
            }
            return ApiServer.ofThisCluster();
        }
        if (!Files.isReadable(Path.of(file))) {
            throw Complaint.ofInput(
                    file
                            + (Files.exists(Path.of(file))
                                    ? ": cannot be read"
                                    : ": there is no such file")
                            + "; give --kubeconfig FILE");
        }
        try {
            return ApiServer.of(Path.of(file));
        } catch (RuntimeException e) {
            throw Complaint.ofInput(
                    file
                            + ": is no kubeconfig: "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private int keep(SyncLoop loop) throws InterruptedException {
        // Once the signal is closed the process may end at any moment, so that the last word comes
        // before.
        try (ExitSignal _ = new ExitSignal(loop::stop)) {
            Outcome outcome = loop.run(o -> once ? !(o instanceof Outcome.Waiting) : unreachable());
            if (unreachable()) {
                say("the kernel cannot be reached: " + String.join("; ", obstacles()));
                return Exit.UNREACHABLE;
            }
            if (once) {
                return exitCode(outcome);
            }
            say("ended, rules stay in place; " + loop.stages());
        }
        return Exit.OK;
    }

    private static int exitCode(Outcome outcome) {
        return switch (outcome) {
            case Outcome.InPlace(var aside) when aside.isEmpty() -> Exit.OK;
            case Outcome.InPlace _ -> Exit.DIFFERENT;
            case Outcome.Failing _, Outcome.Waiting _ -> Exit.UNREACHABLE;
        };
    }

    /// Whether no family was ever reached: then there is nothing to keep trying for.
    private boolean unreachable() {
        return neverReached.containsAll(rules.families());
    }

    private SortedSet<String> obstacles() {
        SortedSet<String> reasons = new TreeSet<>();
        unsaid.forEach(failed -> reasons.add(failed.reason()));
        return reasons;
    }

    private void report(SyncReport report) {
        switch (report) {
            case SyncReport.Failed failed
                    when failed.kind() == SyncReport.Failed.Kind.UNAVAILABLE
                            && !reached.contains(failed.family()) -> {
                neverReached.add(failed.family());
                if (reached.isEmpty()) {
                    // It speaks of a repair, which there is not if no other family is reached.
                    unsaid.add(failed);
                    return;
                }
            }
            case SyncReport.Committed committed -> reach(committed.family());
            case SyncReport.FoundInPlace found -> reach(found.family());
            case SyncReport.AwaitingNode _,
                    SyncReport.SetAside _,
                    SyncReport.Restored _,
                    SyncReport.Contested _,
                    SyncReport.Removed _,
                    SyncReport.Failed _ -> {}
        }
        unsaid.forEach(this::say);
        unsaid.clear();
        say(report);
    }

    private void reach(Family family) {
        reached.add(family);
        neverReached.remove(family);
    }

    private void say(Object message) {
        around.err()
                .println(around.clock().instant().truncatedTo(ChronoUnit.MILLIS) + " " + message);
    }
}
