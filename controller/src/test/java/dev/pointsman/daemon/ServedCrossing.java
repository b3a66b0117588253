package dev.pointsman.daemon;

import dev.pointsman.kube.RealApiServer;
import dev.pointsman.kube.Relay;
import dev.pointsman.peers.ClusterFeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A [Crossing] whose cluster is in a real API server, which its node follows through a wire that
/// can break.
final class ServedCrossing implements AutoCloseable {
    private final Crossing crossing;
    private final RealApiServer server;
    private final ClusterFeed feed;
    private final Relay wire;

    private ServedCrossing(Crossing crossing, RealApiServer server) throws Exception {
        this.crossing = crossing;
        this.server = server;
        feed = new ClusterFeed(server.kubeconfig());
        wire = crossing.node().namespace().call(server::relay);
    }

    /// Skips the test where there is no API server to be had. All Services have the first pod.
    ///
    /// @param folder for files of its own
    static ServedCrossing create(Path folder) throws Exception {
        RealApiServer server = RealApiServer.start(folder);
        try {
            var served = new ServedCrossing(Crossing.create(folder), server);
            served.endpoint(Crossing.podAddresses().getFirst());
            return served;
        } catch (Exception e) {
            server.close();
            throw e;
        }
    }

    /// From now on all Services have this endpoint alone.
    void endpoint(String address) throws IOException {
        crossing.endpoints(List.of(address));
        feed.hold(feed.objects(crossing.snapshot()));
    }

    /// Starts `run` on the node.
    RunProcess run(Map<String, String> environment, String... more) throws IOException {
        List<String> options =
                new ArrayList<>(
                        List.of(
                                "--kubeconfig",
                                server.kubeconfig(wire.port(), RealApiServer.TRUSTING).toString()));
        options.addAll(List.of(more));
        return crossing.run(environment, options);
    }

    Crossing crossing() {
        return crossing;
    }

    RealApiServer server() {
        return server;
    }

    Relay wire() {
        return wire;
    }

    @Override
    public void close() {
        crossing.close();
        wire.close();
        feed.close();
        server.close();
    }
}
