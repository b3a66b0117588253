package dev.pointsman.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.netlink.TestNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// One new connection after the other, and what goes wrong with them.
public final class ConnectionStream implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int MORE = 200;
    private static final int LOOK_MILLIS = 20;
    private static final int BACKLOG = 512;
    private static final int GREETING = 42;

    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger made = new AtomicInteger();
    private final ServerSocket server;
    private final List<CompletableFuture<Void>> clients = new ArrayList<>();
    private volatile boolean over;

    /// Plays something under such a stream, twice if the first time a connection was lost: a
    /// machine that stalls for a second loses a SYN; rules that are missing do it again.
    ///
    /// @param play gives what went wrong with connections
    public static void check(Callable<List<String>> play) throws Exception {
        List<String> failures = play.call();
        if (!failures.isEmpty()) {
            System.out.println("played again after:\n" + String.join("\n", failures));
            failures = play.call();
        }
        assertThat(failures).isEmpty();
    }

    /// @param pod where they are answered
    public ConnectionStream(TestNamespace pod, int port) throws Exception {
        server = pod.namespace().call(() -> new ServerSocket(port, BACKLOG));
        Thread.ofPlatform().daemon().start(this::serve);
    }

    private void serve() {
        while (!server.isClosed()) {
            try (Socket connection = server.accept()) {
                connection.getOutputStream().write(GREETING);
                // The client resets when it has read.
                connection.getInputStream().read();
            } catch (SocketException _) {
                // That reset, or the server was closed.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Begins.
    public void dial(TestNamespace client, IpAddress address, int port) {
        clients.add(
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                client.namespace().call(() -> dialUntilOver(address, port));
                            } catch (Exception e) {
                                failures.add(e.toString());
                            }
                        },
                        task -> Thread.ofPlatform().start(task)));
    }

    private boolean dialUntilOver(IpAddress address, int port) throws IOException {
        InetSocketAddress target =
                new InetSocketAddress(InetAddress.ofLiteral(address.toString()), port);
        long before = resentSyns();
        while (!over) {
            try (Socket socket = new Socket()) {
                socket.setSoLinger(true, 0);
                socket.setSoTimeout((int) PATIENCE.toMillis());
                socket.connect(target, (int) PATIENCE.toMillis());
                if (socket.getInputStream().read() != GREETING) {
                    failures.add("connection " + made + " was not answered");
                }
                made.incrementAndGet();
            } catch (IOException e) {
                failures.add("connection " + made + ": " + e);
            }
            long now = resentSyns();
            if (now > before) {
                failures.add("connection " + made + " needed another SYN");
                before = now;
            }
        }
        return true;
    }

    /// How many SYNs this network namespace has sent again.
    private static long resentSyns() throws IOException {
        List<String> lines =
                Files.readAllLines(Path.of("/proc/thread-self/net/netstat")).stream()
                        .filter(line -> line.startsWith("TcpExt:"))
                        .toList();
        int column = List.of(lines.get(0).split(" ", -1)).indexOf("TCPSynRetrans");
        return Long.parseLong(lines.get(1).split(" ", -1)[column]);
    }

    /// Returns when some more have been made since the call.
    public void awaitMore() throws InterruptedException {
        int enough = made.get() + MORE;
        Instant deadline = Instant.now().plus(PATIENCE);
        while (made.get() < enough && failures.isEmpty()) {
            assertThat(Instant.now()).as("connections made: " + made).isBefore(deadline);
            Thread.sleep(LOOK_MILLIS);
        }
    }

    public List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public void close() throws IOException {
        over = true;
        clients.forEach(CompletableFuture::join);
        server.close();
    }
}
