package dev.pointsman.perf.bench;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.perf.api.ApiServer;
import dev.pointsman.perf.api.Store;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/// One proxy under one cluster, in a town of its own, and what was measured of it.
final class Run implements Closeable {
    private static final int API_PORT = 6443;
    private static final int SERVICE_PORT = 80;

    /// Shorter than the second after which a SYN is sent again: what was lost is not to look late.
    private static final Duration DIAL = Duration.ofMillis(900);

    /// Of those who try again anyway.
    private static final Duration KNOCK = Duration.ofMillis(100);

    private static final URI METRICS = URI.create("http://127.0.0.1:10249/metrics");
    private static final int METRICS_MILLIS = 5_000;

    /// How many syncs there were, by family: both proxies count under this name.
    private static final Pattern SYNCED =
            Pattern.compile("(?m)^kubeproxy_sync_proxy_rules_duration_seconds_count\\{.*\\} [1-9]");

    private static final int FAMILIES = 2;

    private final Cell cell;
    private final int round;
    private final Proxy proxy;
    private final Town town;
    private final Population population;
    private final Pods pods;
    private final ApiServer server;
    private final Optional<ControlGroup> group;
    private final Path configuration;
    private final Path log;
    private final List<Figure> figures = new ArrayList<>();
    private Optional<Daemon> daemon = Optional.empty();

    /// @param folder for the proxy's configuration and log
    private Run(Cell cell, int round, Proxy proxy, Path folder, Town town) throws IOException {
        this.cell = cell;
        this.round = round;
        this.proxy = proxy;
        this.town = town;
        Store store = new Store();
        population = new Population(cell.shape(), store);
        pods = Pods.open(town);
        InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), API_PORT);
        server = Town.call(town.node(), () -> ApiServer.listen(here, store));
        group = ControlGroup.make();
        log = folder.resolve("proxy.log");
        configuration =
                Files.writeString(
                        folder.resolve("config.yaml"),
                        configuration(server.kubeconfig(folder), cell));
    }

    /// JSON is what the API server in memory speaks. Not every kernel lets a network namespace
    /// write limits of connection tracking.
    private static String configuration(Path kubeconfig, Cell cell) {
        return """
               apiVersion: kubeproxy.config.k8s.io/v1alpha1
               kind: KubeProxyConfiguration
               clientConnection: {kubeconfig: %s, contentType: application/json, acceptContentTypes: application/json}
               hostnameOverride: %s
               mode: %s
               clusterCIDR: %s
               conntrack: {maxPerCore: 0, min: 0}
               """
                .formatted(
                        kubeconfig,
                        cell.shape().node().name(),
                        cell.mode(),
                        cell.shape().podRange());
    }

    /// Builds the town, with a constant rule to compare with, everything in the API server and no
    /// proxy yet.
    static Run prepare(Cell cell, int round, Proxy proxy, Path folder) throws IOException {
        Town town = Town.build();
        try {
            ConnectLatency.prepare(town, cell.shape());
            return new Run(cell, round, proxy, Files.createDirectories(folder), town);
        } catch (IOException | RuntimeException e) {
            town.close();
            throw e;
        }
    }

    /// Starts the proxy.
    Daemon start() throws IOException {
        Daemon started = Daemon.start(town, group, proxy, configuration, log);
        daemon = Optional.of(started);
        return started;
    }

    /// Ends the proxy; its rules stay.
    void stop() throws IOException {
        if (daemon.isPresent()) {
            daemon.get().close();
        }
        daemon = Optional.empty();
    }

    Daemon daemon() {
        return daemon.orElseThrow(() -> new IllegalStateException("no proxy runs"));
    }

    /// Where the kernel accounts its memory for the proxy, if it does here.
    Optional<ControlGroup> group() {
        return group;
    }

    Town town() {
        return town;
    }

    Population population() {
        return population;
    }

    void note(Metric metric, Reading reading) {
        figures.add(new Figure(metric, cell, round, reading));
    }

    /// Notes how long something took, or that it did not happen in time.
    ///
    /// @param begun as [System#nanoTime]
    void noteTime(Metric metric, long begun, OptionalLong ended, Patience patience) {
        note(
                metric,
                ended.isPresent()
                        ? new Reading.Exact(metric.unit().of(ended.getAsLong() - begun))
                        : new Reading.Beyond(metric.unit().of(patience.bound().toNanos())));
    }

    List<Figure> figures() {
        return List.copyOf(figures);
    }

    Dial dial(int service) {
        return dial(service, DIAL);
    }

    private Dial dial(int service, Duration patience) {
        return new Dial(population.shape().clusterIp(service), SERVICE_PORT, patience);
    }

    /// Waits until each of `services` was reached at one of the endpoints that it has now.
    OptionalLong awaitEach(List<Integer> services, Patience patience) throws IOException {
        return Town.call(
                town.client(),
                () -> {
                    var left = new ArrayList<>(services);
                    return patience.until(
                            () -> {
                                daemon().mustRun();
                                while (!left.isEmpty() && answers(left.getLast())) {
                                    left.removeLast();
                                }
                                return left.isEmpty();
                            });
                });
    }

    private boolean answers(int service) {
        Set<IpAddress> endpoints = population.endpoints(service);
        return dial(service, KNOCK)
                .once()
                .filter(r -> endpoints.contains(r.endpoint()))
                .isPresent();
    }

    /// Waits until the proxy has synced both families. Its `/healthz` is no sign of that:
    /// kube-proxy's says 200 before.
    OptionalLong awaitSynced(Patience patience) throws IOException {
        return Town.call(town.node(), () -> patience.until(this::hasSynced));
    }

    private boolean hasSynced() throws IOException {
        daemon().mustRun();
        var connection = (HttpURLConnection) METRICS.toURL().openConnection();
        // Kept, it would lead into the namespace of the run before.
        connection.setRequestProperty("Connection", "close");
        connection.setConnectTimeout(METRICS_MILLIS);
        connection.setReadTimeout(METRICS_MILLIS);
        try (InputStream metrics = connection.getInputStream()) {
            String text = new String(metrics.readAllBytes(), StandardCharsets.UTF_8);
            return SYNCED.matcher(text).results().count() == FAMILIES;
        } catch (IOException _) {
            return false; // not listening yet
        }
    }

    @Override
    public void close() throws IOException {
        try (town;
                server;
                pods;
                Closeable _ = this::leaveGroup) {
            stop();
        }
    }

    private void leaveGroup() throws IOException {
        if (group.isPresent()) {
            group.get().close();
        }
    }
}
