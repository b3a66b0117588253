package dev.pointsman.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.NetworkNamespace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.testcontainers.containers.GenericContainer;

/// The network of a pod, which a container keeps that does nothing else, as `pause` does.
///
/// It is a node's: it has one pod's address, on loopback, where a server answers.
record PodNetwork(GenericContainer<?> pause) implements AutoCloseable {
    private static final int SECONDS = 10;

    static PodNetwork create(String image) throws IOException, InterruptedException {
        GenericContainer<?> pause =
                new GenericContainer<>(image)
                        .withNetworkMode("none")
                        .withCreateContainerCmdModifier(
                                create -> create.withEntrypoint(Images.PROGRAM.getFirst()))
                        .withCommand("-cp", "/classes", Pause.class.getName());
        pause.setBinds(List.of(Pod.readable(Path.of("target/test-classes"), "/classes")));
        pause.start();
        PodNetwork network = new PodNetwork(pause);
        network.run("ip", "link", "set", "lo", "up");
        network.run("ip", "address", "add", Page.ADDRESS + "/32", "dev", "lo");
        network.run("ip", "route", "add", "default", "dev", "lo", "src", Page.ADDRESS);
        return network;
    }

    /// What containers name it by to share it.
    String name() {
        return "container:" + pause.getContainerId();
    }

    /// What a program of this machine prints that runs in it.
    String run(String... command) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("nsenter", "--net=" + path()));
        line.addAll(List.of(command));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).as(said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    /// What answers a new connection from this node.
    String ask(InetSocketAddress address) throws Exception {
        try (Socket socket = connect(address)) {
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// A connection from this node.
    Socket connect(InetSocketAddress address) throws Exception {
        return call(
                () -> {
                    Socket socket = new Socket();
                    socket.connect(address, SECONDS * 1000);
                    socket.setSoTimeout(SECONDS * 1000);
                    return socket;
                });
    }

    /// Returns when somebody answers there.
    void awaitAnswer(InetSocketAddress address) throws Exception {
        Instant deadline = Instant.now().plus(Pod.PATIENCE);
        while (!answers(address)) {
            assertThat(Instant.now()).as("nobody answers at " + address).isBefore(deadline);
        }
    }

    private boolean answers(InetSocketAddress address) throws Exception {
        try (Socket _ = connect(address)) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    <T> T call(Callable<T> task) throws Exception {
        return NetworkNamespace.ofPath(path()).call(task);
    }

    private Path path() {
        return Path.of("/proc", String.valueOf(Pod.state(pause).getPidLong()), "ns/net");
    }

    @Override
    public void close() {
        pause.stop();
    }
}
