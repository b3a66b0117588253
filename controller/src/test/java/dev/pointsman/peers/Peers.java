package dev.pointsman.peers;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pointsman.graph.Cidr;
import dev.pointsman.kube.RealApiServer;
import dev.pointsman.kube.Relay;
import dev.pointsman.netlink.NetworkNamespace;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A real API server, and what it takes to have kube-proxies follow it from inside other network
/// namespaces.
///
/// Threads inherit the namespace of whoever starts them, and so does everything that they connect:
/// what reaches the API server is called from threads of the first namespace.
final class Peers implements AutoCloseable {
    /// Number of the first beacon.
    static final int FIRST = 10_001;

    private final Path folder;
    private final List<Cidr> serviceRanges;
    private final NetworkNamespace home = NetworkNamespace.current();
    private final RealApiServer server;
    private final ClusterFeed feed;
    private int number = FIRST - 1;

    private Peers(Path folder, List<Cidr> serviceRanges, RealApiServer server) throws Exception {
        this.folder = folder;
        this.serviceRanges = List.copyOf(serviceRanges);
        this.server = server;
        feed = new ClusterFeed(kubeconfig(server.port()));
    }

    /// Skips the test where a program is not named.
    ///
    /// @param serviceRanges one of each family, IPv4 first
    static Peers start(Path folder, List<Cidr> serviceRanges) throws Exception {
        if (System.getenv(KubeProxy.PROGRAM) == null) {
            String reason =
                    "skipped: "
                            + KubeProxy.PROGRAM
                            + " names no program; build it with perf/peers/kube-peers build";
            System.out.println(reason);
            assumeTrue(false, reason);
        }
        return new Peers(
                folder,
                serviceRanges,
                RealApiServer.start(
                        folder,
                        "--service-cluster-ip-range="
                                + serviceRanges.stream()
                                        .map(Cidr::toString)
                                        .collect(Collectors.joining(",")),
                        // No lower: they are ports of this machine as well.
                        "--service-node-port-range=3000-65000",
                        "--endpoint-reconciler-type=none"));
    }

    Path folder() {
        return folder;
    }

    ClusterFeed feed() {
        return feed;
    }

    Beacon beacon() {
        return Beacon.within(serviceRanges);
    }

    /// Makes the API server hold `objects`, and gives the number of the beacon that comes after.
    int hold(List<HasMetadata> objects) throws Exception {
        number++;
        List<HasMetadata> all = new ArrayList<>(objects);
        all.addAll(KubeObjects.of(beacon().state(number)));
        return home.call(
                () -> {
                    feed.hold(all);
                    return number;
                });
    }

    /// A wire to the API server from the network namespace of the calling thread.
    Relay relay() throws Exception {
        return server.relay();
    }

    Path kubeconfig(int port) throws Exception {
        return server.kubeconfig(port, RealApiServer.TRUSTING);
    }

    @Override
    public void close() {
        feed.close();
        server.close();
    }
}
