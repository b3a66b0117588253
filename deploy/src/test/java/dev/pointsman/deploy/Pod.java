package dev.pointsman.deploy;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.Volume;
import dev.pointsman.perf.api.ApiServer;
import dev.pointsman.perf.api.Snapshot;
import dev.pointsman.perf.api.Store;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/// A pod of the DaemonSet: a network, the API server that is reached in it, and containers that are
/// started in turn, with the rights that the manifests give them.
///
/// @param cluster what the API server serves, at first `cluster.yaml`
record Pod(PodNetwork network, Store cluster, ApiServer server, Path kubeconfig)
        implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String HELD = ".*IPv4: the kernel already holds all.*";
    private static final String IN_PLACE = ".*IPv4: brought up to date.*|" + HELD;

    /// Starts the pod without Pointsman.
    ///
    /// @param folder for what containers get to read
    static Pod start(String image, Path folder) throws Exception {
        Store cluster = new Store();
        objects("cluster.yaml").objects().forEach(cluster::put);
        PodNetwork network = PodNetwork.create(image);
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ApiServer server = network.call(() -> ApiServer.listen(anyPort, cluster));
        return new Pod(network, cluster, server, server.kubeconfig(folder));
    }

    /// What is in a file beside the tests.
    static Snapshot objects(String file) throws Exception {
        try (InputStream objects = Pod.class.getResourceAsStream(file)) {
            return Snapshot.read(Objects.requireNonNull(objects));
        }
    }

    /// Starts Pointsman and waits until its rules are in place.
    GenericContainer<?> pointsman(String image, String mode) {
        GenericContainer<?> container =
                new GenericContainer<>(image)
                        .withNetworkMode(network.name())
                        .withCreateContainerCmdModifier(
                                create ->
                                        Objects.requireNonNull(create.getHostConfig())
                                                .withCapDrop(Capability.ALL)
                                                .withCapAdd(Capability.NET_ADMIN)
                                                .withSecurityOpts(List.of("no-new-privileges"))
                                                .withReadonlyRootfs(true))
                        .withCommand(
                                "run",
                                "--kubeconfig=/kubeconfig",
                                "--node=worker-1",
                                "--cluster-cidr=10.128.0.0/16",
                                "--mode=" + mode)
                        .waitingFor(Wait.forLogMessage(IN_PLACE, 1).withStartupTimeout(PATIENCE));
        container.setBinds(List.of(readable(kubeconfig, "/kubeconfig")));
        container.start();
        return container;
    }

    /// Ends it and starts it again, and waits until it has found its rules in place.
    static void restart(GenericContainer<?> container) {
        container.getDockerClient().restartContainerCmd(container.getContainerId()).exec();
        Wait.forLogMessage(HELD, 1).withStartupTimeout(PATIENCE).waitUntilReady(container);
    }

    static Bind readable(Path file, String at) {
        return new Bind(file.toAbsolutePath().toString(), new Volume(at), AccessMode.ro);
    }

    static InspectContainerResponse.ContainerState state(GenericContainer<?> container) {
        return inspected(container).getState();
    }

    static InspectContainerResponse inspected(GenericContainer<?> container) {
        return container.getCurrentContainerInfo();
    }

    @Override
    public void close() {
        server.close();
        network.close();
    }
}
