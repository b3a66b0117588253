package dev.pointsman;

import dev.pointsman.config.ConfigReading;
import dev.pointsman.config.Conntrack;
import dev.pointsman.config.Effective;
import dev.pointsman.config.Flag;
import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.conntrack.ConntrackSysctls;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Family;
import dev.pointsman.kube.ApiServer;
import dev.pointsman.kube.EventPoster;
import dev.pointsman.kube.KubeFeed;
import dev.pointsman.kube.ServerNote;
import dev.pointsman.kube.SnapshotReader;
import dev.pointsman.logging.LibraryLog;
import dev.pointsman.logging.Log;
import dev.pointsman.notice.Moment;
import dev.pointsman.notice.Notice;
import dev.pointsman.notice.NoticeQueue;
import dev.pointsman.notice.Reason;
import dev.pointsman.serve.NodeServers;
import dev.pointsman.serve.Program;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.ClusterListener;
import dev.pointsman.store.Finding;
import dev.pointsman.sync.AddressWatch;
import dev.pointsman.sync.ExitSignal;
import dev.pointsman.sync.FeedThreads;
import dev.pointsman.sync.FileWatch;
import dev.pointsman.sync.Outcome;
import dev.pointsman.sync.Pace;
import dev.pointsman.sync.SyncLoop;
import dev.pointsman.sync.SyncNote;
import dev.pointsman.sync.SyncReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
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
            "SIGTERM and SIGINT end it and leave the rules in place; cleanup removes them.",
            "kube-proxy's flags are taken as well, and run is what a command line without a verb"
                    + " means. With --config they are ignored with a warning, but for"
                    + " --hostname-override, --master and those of logging."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:ended by a signal; with --once: everything is in place",
            "1:with --once: in place but for Services that the kernel refused",
            "2:bad usage or input, or the Node is unknown; with --once also: the snapshot is"
                    + " incomplete",
            "3:the kernel cannot be reached, or bindAddressHardFail is set and an address is taken;"
                    + " with --once also: the kernel refused",
            "75:the file of --config changed in what takes a new start; rules stay in place",
        })
final class RunCommand implements Callable<Integer> {
    private static final Duration POLL = Duration.ofSeconds(2);

    private final Surroundings around;
    private final KubeProxyFlags flags;
    private final LogAndEvents messages;

    private final AtomicReference<String> ending = new AtomicReference<>("");
    private final FamilyReach reach;

    @Mixin RuleOptions rules = new RuleOptions();

    @ArgGroup ClusterSource source = new ClusterSource();

    @Mixin KubeProxyActions actions = new KubeProxyActions();

    @Option(names = "--once", description = "Sync once and exit.")
    boolean once;

    @Option(
            names = "--take-over",
            description =
                    "Once all rules are in place, remove what kube-proxy left, and what Pointsman"
                            + " left in other modes. Stop kube-proxy before or right after: while it"
                            + " runs, it writes its rules again.")
    boolean takeOver;

    RunCommand(Surroundings around, KubeProxyFlags flags) {
        this.around = around;
        this.flags = flags;
        messages = new LogAndEvents(new Log(around.err(), around.clock()), new NoticeQueue());
        reach = new FamilyReach(() -> rules.families(), messages);
    }

    @Override
    public Integer call() throws Exception {
        Optional<Callable<Integer>> other = actions.instead(around);
        if (other.isPresent()) {
            return other.get().call();
        }
        try (LibraryLog _ = LibraryLog.into(messages.log())) {
            return run();
        }
    }

    private int run() throws Exception {
        List<Finding> findings = new ArrayList<>();
        ConfigReading.Read read = rules.config.taken(read(), findings);
        messages.log().use(read.configuration().logging());
        findings.forEach(messages::say);
        if (actions.isToWrite()) {
            actions.write(read.effective());
            return Exit.OK;
        }
        ProxyConfiguration configuration = read.configuration();
        Mode mode = rules.mode(configuration, around.modes().get());
        sayMode(mode, read.effective());
        if (setsConntrack(configuration)) {
            new ConntrackSysctls(around.root(), messages).apply(configuration.conntrack());
        }
        if (actions.initOnly) {
            return new Preparation(mode, rules.families(), messages).run(configuration);
        }
        if (once) {
            try (SyncLoop loop = loop(configuration, mode, reach, _ -> {})) {
                return follow(loop, configuration, mode, _ -> {});
            }
        }
        AtomicReference<Effective> inForce = new AtomicReference<>(read.effective());
        try (NodeServers servers = servers(configuration, mode, inForce);
                SyncLoop loop = loop(configuration, mode, counted(servers), servers.notes());
                AutoCloseable _ = watch(read, loop, inForce);
                AddressWatch _ = new AddressWatch(servers::addressesChanged, messages::say)) {
            List<String> failures = servers.open(loop.stages(), loop::oldestUnread);
            if (!failures.isEmpty()) {
                throw new Complaint(Exit.UNREACHABLE, failures);
            }
            return follow(loop, configuration, mode, servers.apiServer());
        }
    }

    /// kube-proxy 1.37 has an Event for a mode that nobody named, because defaults change.
    private void sayMode(Mode mode, Effective effective) {
        String line = "mode " + mode.name() + ": " + effective.modeOrigin();
        if (rules.config.mode.isEmpty() && !effective.differing().contains("mode")) {
            messages.say(Notice.ofNode(Reason.MODE_DEFAULTED, line));
        } else {
            messages.say(line);
        }
    }

    private Consumer<SyncReport> counted(NodeServers servers) {
        return report -> {
            servers.count(report);
            reach.accept(report);
        };
    }

    private NodeServers servers(
            ProxyConfiguration configuration, Mode mode, AtomicReference<Effective> inForce)
            throws IOException {
        return new NodeServers(
                new NodeServers.Subject(
                        configuration.servers(),
                        mode.name(),
                        rules.families(),
                        configuration.late(),
                        new Program(
                                Version.current(),
                                Runtime.version().toString(),
                                () -> ConfigJson.configz(inForce.get()),
                                () -> KubeProxyFlags.inForce(inForce.get())),
                        mode::dataplane),
                new NodeServers.World(
                        around.nanos(), around.clock(), messages, messages.log()::verbosity));
    }

    private int follow(
            SyncLoop loop, ProxyConfiguration configuration, Mode mode, Consumer<ServerNote> notes)
            throws InterruptedException, IOException {
        Runnable settled = takeOver ? () -> takeOver(mode) : () -> {};
        return source.snapshots.isEmpty()
                ? followServer(loop, configuration, settled, notes)
                : followFiles(loop, node(configuration), settled);
    }

    private ConfigReading read() {
        List<Flag.Given> given = flags.given();
        // Beside a file it counts here as well, where the server is chosen.
        if (!source.kubeconfig.isEmpty() && rules.config.config.isEmpty()) {
            given.add(new Flag.Given(Flag.named("kubeconfig"), source.kubeconfig));
        }
        return rules.config.read(given, ProxyConfiguration.DEFAULT_MODE);
    }

    /// Who tries rules from a file does not want other limits with them, unless the configuration
    /// asks for some.
    private boolean setsConntrack(ProxyConfiguration configuration) {
        return source.snapshots.isEmpty() || !configuration.conntrack().equals(Conntrack.DEFAULTS);
    }

    private String node(ProxyConfiguration configuration) {
        return rules.nodeName(configuration)
                .orElseGet(() -> around.hostname().get().toLowerCase(Locale.ROOT));
    }

    private SyncLoop loop(
            ProxyConfiguration configuration,
            Mode mode,
            Consumer<SyncReport> reports,
            Consumer<SyncNote> notes) {
        SortedMap<Family, Dataplane> dataplanes = new TreeMap<>();
        rules.families().forEach(family -> dataplanes.put(family, mode.dataplane(family)));
        return new SyncLoop(
                node(configuration),
                configuration.settings(),
                pace(configuration),
                dataplanes,
                around.flows(),
                around.nanos(),
                reports,
                notes);
    }

    private static Pace pace(ProxyConfiguration configuration) {
        return new Pace(
                configuration.minSyncPeriod(), Pace.DEFAULT.look(), configuration.syncPeriod());
    }

    /// Follows the file of the configuration, if there is one.
    private AutoCloseable watch(
            ConfigReading.Read read, SyncLoop loop, AtomicReference<Effective> inForce)
            throws IOException {
        if (rules.config.config.isEmpty()) {
            return () -> {};
        }
        var steps =
                new ConfigFollower.Steps() {
                    @Override
                    public void say(String line) {
                        messages.say(line);
                    }

                    @Override
                    public void refuse(String reason) {
                        messages.say(Notice.ofNode(Reason.CONFIGURATION_REFUSED, reason));
                    }

                    @Override
                    public void apply(ConfigReading.Read taken) {
                        messages.log().use(taken.configuration().logging());
                        inForce.set(taken.effective());
                        ProxyConfiguration configuration = taken.configuration();
                        loop.reconfigure(configuration.settings(), pace(configuration));
                    }

                    @Override
                    public void end(String reason) {
                        ending.set(reason);
                        loop.stop();
                    }
                };
        ConfigFollower follower = new ConfigFollower(read, this::read, steps);
        FileWatch watch = new FileWatch(List.of(rules.config.config.get()), POLL, follower::look);
        // It may have changed before the watch was there.
        follower.look();
        return watch;
    }

    private int followFiles(SyncLoop loop, String node, Runnable settled)
            throws InterruptedException, IOException {
        if (source.snapshots.contains(SnapshotReader.STDIN) && !once) {
            throw Complaint.ofInput(
                    "--snapshot: standard input cannot be read again when it changes; give a file,"
                            + " or --once");
        }
        SnapshotFeed feed = new SnapshotFeed(source.snapshots, around.in(), loop, messages);
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
            return keep(loop, settled);
        }
        List<Path> paths = source.snapshots.stream().map(Path::of).toList();
        // The watch comes first: a file completed right after it was read would never be read
        // again.
        try (FileWatch _ = new FileWatch(paths, POLL, feed::reread)) {
            feed.start(node).ifPresent(feed::refuse);
            return keep(loop, settled);
        }
    }

    private int followServer(
            SyncLoop loop,
            ProxyConfiguration configuration,
            Runnable settled,
            Consumer<ServerNote> notes)
            throws InterruptedException {
        String node = node(configuration);
        ClusterListener listener =
                new ClusterListener() {
                    @Override
                    public void event(ClusterEvent event) {
                        loop.take(List.of(event));
                    }

                    @Override
                    public void finding(Finding finding) {
                        messages.say(finding);
                    }

                    @Override
                    public void synced() {
                        loop.listed();
                    }
                };
        try (ApiServer server = source.server(configuration, actions.master, around.environment());
                FeedThreads threads = new FeedThreads()) {
            OomScore.set(around.root().resolve("proc"), configuration.oomScoreAdj())
                    .ifPresent(messages::say);
            server.tell(notes, around.nanos());
            messages.say(
                    Notice.ofNode(
                            Reason.STARTING, "watching " + server.address() + " for Node " + node));
            if (!once) {
                threads.execute(
                        new EventPoster(server, node, messages.events(), this::now, messages::say));
            }
            new KubeFeed(server, node, listener, around.chance(), threads::sleep).start(threads);
            return keep(loop, settled);
        }
    }

    private Moment now() {
        return new Moment(around.clock().instant(), around.nanos().getAsLong());
    }

    /// @param settled to be done once, when everything is in place
    private int keep(SyncLoop loop, Runnable settled) throws InterruptedException {
        // Once the signal is closed the process may end at any moment, so that the last word comes
        // before.
        try (ExitSignal _ = new ExitSignal(loop::stop)) {
            Outcome outcome = loop.run(o -> isInPlace(o) || isEnough(o));
            if (isInPlace(outcome)) {
                settled.run();
                // Whole lists have passed through the heap. What they left behind would stay in
                // memory until something needs the room, which is never on a quiet node.
                System.gc();
                outcome = loop.run(this::isEnough);
            } else if (takeOver) {
                messages.say("nothing was taken over: not everything is in place");
            }
            loop.finish();
            if (reach.isNone()) {
                messages.say(
                        "the kernel cannot be reached: " + String.join("; ", reach.obstacles()));
                return Exit.UNREACHABLE;
            }
            if (once) {
                return exitCode(outcome);
            }
            if (!ending.get().isEmpty()) {
                messages.say(ending.get() + "; ended, rules stay in place");
                return Exit.AGAIN;
            }
            messages.say("ended, rules stay in place; " + loop.stages());
        }
        return Exit.OK;
    }

    private boolean isEnough(Outcome outcome) {
        return once ? !(outcome instanceof Outcome.Waiting) : reach.isNone();
    }

    private static boolean isInPlace(Outcome outcome) {
        return outcome instanceof Outcome.InPlace(var aside) && aside.isEmpty();
    }

    private void takeOver(Mode mode) {
        new TakeOver(mode, RuleOptions.sorted(around.modes().get())).run(messages);
    }

    private static int exitCode(Outcome outcome) {
        return switch (outcome) {
            case Outcome.InPlace(var aside) when aside.isEmpty() -> Exit.OK;
            case Outcome.InPlace _ -> Exit.DIFFERENT;
            case Outcome.Failing _, Outcome.Waiting _ -> Exit.UNREACHABLE;
        };
    }
}
