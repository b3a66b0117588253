package dev.pointsman.serve;

import dev.pointsman.config.ServerAddress;
import dev.pointsman.config.Servers;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.kube.ServerNote;
import dev.pointsman.notice.Announcer;
import dev.pointsman.sync.Stages;
import dev.pointsman.sync.SyncNote;
import dev.pointsman.sync.SyncReport;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// All servers of a process that programs a node: healthz, metrics, and a port for each Service
/// that wants one. They follow one loop and never hold it up.
public final class NodeServers implements AutoCloseable {

    /// What is served.
    ///
    /// @param mode by name
    /// @param families that are programmed
    /// @param late after how long something that is queued makes the process unhealthy
    /// @param renderers gives dataplanes that nobody else has; no kernel is reached through them
    public record Subject(
            Servers servers,
            String mode,
            List<Family> families,
            Duration late,
            Program program,
            Function<Family, Dataplane> renderers) {
        public Subject {
            families = List.copyOf(families);
        }
    }

    /// What they find around them.
    ///
    /// @param nanos the clock of the loop
    /// @param announcer called on the thread of the servers, or that of who opens them
    /// @param verbosity is told what the log should have from now on
    public record World(
            LongSupplier nanos, InstantSource clock, Announcer announcer, IntConsumer verbosity) {}

    private final HttpThread http;
    private final Health health;
    private final Metrics metrics;
    private final Telemetry telemetry;
    private final ServiceHealthPorts services;
    private final List<Port> ports = new ArrayList<>();
    private final Servers.BusyPort busyPort;
    private volatile LongSupplier oldestUnread = () -> Long.MAX_VALUE;

    public NodeServers(Subject subject, World world) {
        this(
                subject,
                world,
                new HttpThread(Limits.DEFAULT, world.announcer()::say),
                Addresses::ofThisMachine);
    }

    NodeServers(
            Subject subject,
            World world,
            HttpThread http,
            Supplier<SortedSet<IpAddress>> ownAddresses) {
        this.http = http;
        busyPort = subject.servers().busyPort();
        health =
                new Health(
                        subject.families(),
                        subject.late(),
                        world.nanos(),
                        world.clock(),
                        () -> oldestUnread.getAsLong());
        Graphs graphs = new Graphs();
        Journal journal = new Journal();
        metrics =
                new Metrics(
                        subject.mode(),
                        subject.families(),
                        graphs,
                        world.nanos(),
                        world.clock().instant());
        metrics.measuresProcess(subject.program());
        services = new ServiceHealthPorts(http, http, health, ownAddresses, world.announcer());
        telemetry =
                new Telemetry(
                        health,
                        metrics,
                        graphs,
                        journal,
                        settled -> http.execute(() -> services.settled(settled.graph())));
        Servers servers = subject.servers();
        Pages debug =
                servers.showsDebugPages()
                        ? new DebugPages(graphs, journal, subject.renderers(), world.verbosity())
                        : _ -> Answer.notFound();
        add(Purpose.HEALTHZ, servers.healthzBindAddress(), new HealthPages(health, metrics), world);
        add(
                Purpose.METRICS,
                servers.metricsBindAddress(),
                new OperatorPages(
                        metrics,
                        new Indicators(world.clock().instant()),
                        subject.mode(),
                        new ProgramPages(subject.program(), world.clock(), debug)),
                world);
    }

    private void add(Purpose purpose, ServerAddress at, Pages pages, World world) {
        switch (at) {
            case ServerAddress.Off _ -> {}
            case ServerAddress.At(var address, int port) -> {
                InetSocketAddress socket = Addresses.socket(address, port);
                ports.add(new Port(purpose, socket, pages, http, http, world.announcer()));
            }
        }
    }

    /// What the loop is to tell of itself.
    public Consumer<SyncNote> notes() {
        return telemetry;
    }

    /// What the conversation with an API server is to tell of itself.
    public Consumer<ServerNote> apiServer() {
        return metrics.apiServer();
    }

    /// Counts what operators are told.
    public void count(SyncReport report) {
        telemetry.reported(report);
    }

    /// Addresses of this machine came or went; from any thread.
    public void addressesChanged() {
        http.execute(services::follow);
    }

    /// Opens the servers of this process. What cannot be opened is tried again later, unless the
    /// configuration wants the process to end: then it is returned.
    ///
    /// @param stages that the loop measures
    /// @param unread since when facts wait that the loop has not got to, [Long#MAX_VALUE] if there
    ///   are none
    public List<String> open(Stages stages, LongSupplier unread) {
        oldestUnread = unread;
        metrics.measures(stages);
        List<String> failures = new ArrayList<>();
        for (Port port : ports) {
            port.open()
                    .ifPresent(
                            failure -> {
                                switch (busyPort) {
                                    case TRIED_AGAIN -> port.keepTrying(failure);
                                    case FATAL -> failures.add(failure);
                                }
                            });
        }
        return failures;
    }

    @Override
    public void close() {
        http.close();
    }
}
