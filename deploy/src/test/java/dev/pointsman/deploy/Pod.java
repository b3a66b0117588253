package dev.pointsman.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.Volume;
import dev.pointsman.netlink.NetworkNamespace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/// A pod of the DaemonSet: a container that only keeps the network, as `pause` does, and beside it
/// those that are started in turn, with the rights that the manifests give them.
///
/// The network is a node's: it has one pod's address, on loopback, where a server answers.
final class Pod implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int SECONDS = 10;
    private static final String HELD = ".*IPv4: the kernel already holds all.*";
    private static final String IN_PLACE = ".*IPv4: brought up to date.*|" + HELD;

    private static final String PAUSE =
            "void main() throws Exception { Thread.currentThread().join(); }";

    private final GenericContainer<?> pause;
    private final Path snapshot;

    private Pod(GenericContainer<?> pause, Path snapshot) {
        this.pause = pause;
        this.snapshot = snapshot;
    }

    /// Starts the pod without Pointsman.
    ///
    /// @param folder for what containers get to read
    static Pod start(String image, Path folder) throws IOException, InterruptedException {
        Path snapshot = folder.resolve("cluster.yaml");
        try (var cluster = Pod.class.getResourceAsStream("cluster.yaml")) {
            Files.write(snapshot, Objects.requireNonNull(cluster).readAllBytes());
        }
        Path program = Files.writeString(folder.resolve("Pause.java"), PAUSE);
        GenericContainer<?> pause =
                new GenericContainer<>(image)
                        .withNetworkMode("none")
                        .withCreateContainerCmdModifier(
                                create -> create.withEntrypoint(Images.PROGRAM.getFirst()))
                        .withCommand("/Pause.java");
        pause.setBinds(List.of(readable(program, "/Pause.java")));
        pause.start();
        Pod pod = new Pod(pause, snapshot);
        pod.run("ip", "link", "set", "lo", "up");
        pod.run("ip", "address", "add", Page.ADDRESS + "/32", "dev", "lo");
        pod.run("ip", "route", "add", "default", "dev", "lo", "src", Page.ADDRESS);
        return pod;
    }

    /// Starts Pointsman and waits until its rules are in place.
    GenericContainer<?> pointsman(String image, String mode) {
        GenericContainer<?> container =
                new GenericContainer<>(image)
                        .withNetworkMode("container:" + pause.getContainerId())
                        .withCreateContainerCmdModifier(
                                create ->
                                        Objects.requireNonNull(create.getHostConfig())
                                                .withCapDrop(Capability.ALL)
                                                .withCapAdd(Capability.NET_ADMIN)
                                                .withSecurityOpts(List.of("no-new-privileges"))
                                                .withReadonlyRootfs(true))
                        .withCommand(
                                "run",
                                "--snapshot=/cluster.yaml",
                                "--node=worker-1",
                                "--cluster-cidr=10.128.0.0/16",
                                "--mode=" + mode)
                        .waitingFor(Wait.forLogMessage(IN_PLACE, 1).withStartupTimeout(PATIENCE));
        container.setBinds(List.of(readable(snapshot, "/cluster.yaml")));
        container.start();
        return container;
    }

    /// Ends it and starts it again, and waits until it has found its rules in place.
    static void restart(GenericContainer<?> container) {
        container.getDockerClient().restartContainerCmd(container.getContainerId()).exec();
        Wait.forLogMessage(HELD, 1).withStartupTimeout(PATIENCE).waitUntilReady(container);
    }

    private static Bind readable(Path file, String at) {
        return new Bind(file.toAbsolutePath().toString(), new Volume(at), AccessMode.ro);
    }

    /// What a program of this machine prints that runs in the pod's network.
    String run(String... command) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("nsenter", "--net=" + network()));
        line.addAll(List.of(command));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).as(said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    /// What answers a new connection from this node.
    String ask(InetSocketAddress address) throws Exception {
        return network(
                () -> {
                    try (Socket socket = new Socket()) {
                        socket.connect(address, SECONDS * 1000);
                        socket.setSoTimeout(SECONDS * 1000);
                        return new String(
                                socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    }
                });
    }

    <T> T network(Callable<T> task) throws Exception {
        return NetworkNamespace.ofPath(network()).call(task);
    }

    private Path network() {
        return Path.of("/proc", String.valueOf(state(pause).getPidLong()), "ns/net");
    }

    static InspectContainerResponse.ContainerState state(GenericContainer<?> container) {
        return inspected(container).getState();
    }

    static InspectContainerResponse inspected(GenericContainer<?> container) {
        return container.getCurrentContainerInfo();
    }

    @Override
    public void close() {
        pause.stop();
    }
}
