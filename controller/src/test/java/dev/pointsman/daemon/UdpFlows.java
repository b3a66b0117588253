package dev.pointsman.daemon;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.netlink.TestNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Datagrams from clients to pods of a [Crossing], each answered by its pod with the pod's address.
final class UdpFlows implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int ANSWER_MILLIS = 5000;
    private static final int LOOK_MILLIS = 20;
    private static final int FIRST_PORT = 20_000;

    private final Crossing crossing;
    private final List<DatagramSocket> servers = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private CompletableFuture<Void> asking = CompletableFuture.completedFuture(null);
    private final AtomicInteger rounds = new AtomicInteger();
    private volatile boolean over;

    UdpFlows(Crossing crossing) throws Exception {
        this.crossing = crossing;
        for (String pod : Crossing.podAddresses()) {
            serve(crossing.pods(), pod);
        }
    }

    private void serve(TestNamespace pods, String address) throws Exception {
        DatagramSocket server =
                pods.namespace().call(() -> new DatagramSocket(at(address, Crossing.POD_PORT)));
        servers.add(server);
        byte[] answer = IpAddress.parse(address).bytes();
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            while (!server.isClosed()) {
                                try {
                                    var question = new DatagramPacket(new byte[1], 1);
                                    server.receive(question);
                                    server.send(
                                            new DatagramPacket(
                                                    answer,
                                                    answer.length,
                                                    question.getSocketAddress()));
                                } catch (IOException e) {
                                    if (!server.isClosed()) {
                                        throw new UncheckedIOException(e);
                                    }
                                }
                            }
                        });
    }

    /// Begins as many flows of the first client to `dns`, each from a port of its own, and keeps
    /// sending in all of them, one after the other, until closed. Returns when all were answered
    /// once.
    void begin(int count) throws Exception {
        InetSocketAddress dns = at(Crossing.DNS.toString(), Crossing.DNS_PORT);
        String client = Crossing.clientAddresses().getFirst();
        Map<Integer, String> answerers =
                inside(
                        () -> {
                            Map<Integer, String> first = new LinkedHashMap<>();
                            for (int port = FIRST_PORT; port < FIRST_PORT + count; port++) {
                                first.put(port, ask(client, port, dns));
                            }
                            return first;
                        });
        asking =
                CompletableFuture.runAsync(
                        () -> goOn(client, dns, answerers),
                        task -> Thread.ofPlatform().start(task));
    }

    private void goOn(String client, InetSocketAddress dns, Map<Integer, String> answerers) {
        try {
            inside(
                    () -> {
                        while (!over) {
                            for (Map.Entry<Integer, String> flow : answerers.entrySet()) {
                                String now = ask(client, flow.getKey(), dns);
                                if (!now.equals(flow.getValue())) {
                                    failures.add("flow " + flow + " was answered by " + now);
                                }
                            }
                            rounds.incrementAndGet();
                        }
                        return true;
                    });
        } catch (Exception e) {
            failures.add(e.toString());
        }
    }

    /// Returns when every flow was asked again since the call.
    void awaitAll() throws InterruptedException {
        int enough = rounds.get() + 2;
        Instant deadline = Instant.now().plus(PATIENCE);
        while (rounds.get() < enough && failures.isEmpty()) {
            if (Instant.now().isAfter(deadline)) {
                throw new AssertionError("rounds made: " + rounds);
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    /// Who answers a new flow of each client to `sticky`.
    ///
    /// @param port of the clients, another one each time
    Map<String, String> stickyAnswerers(int port) throws Exception {
        InetSocketAddress sticky = at(Crossing.STICKY.toString(), Crossing.DNS_PORT);
        return inside(
                () -> {
                    Map<String, String> answerers = new LinkedHashMap<>();
                    for (String client : Crossing.clientAddresses()) {
                        answerers.put(client, ask(client, port, sticky));
                    }
                    return answerers;
                });
    }

    /// Returns when all these flows are answered by `pod`.
    void awaitSticky(int port, String pod) throws Exception {
        Instant deadline = Instant.now().plus(PATIENCE);
        Map<String, String> answerers = stickyAnswerers(port);
        while (!Set.of(pod).containsAll(answerers.values())) {
            if (Instant.now().isAfter(deadline)) {
                throw new AssertionError("not answered by " + pod + " alone: " + answerers);
            }
            answerers = stickyAnswerers(port);
        }
    }

    private <T> T inside(Callable<T> task) throws Exception {
        return crossing.clients().namespace().call(task);
    }

    private static String ask(String client, int port, InetSocketAddress target)
            throws IOException {
        try (DatagramSocket socket = new DatagramSocket(at(client, port))) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.send(new DatagramPacket(new byte[1], 1, target));
            var answer = new DatagramPacket(new byte[4], 4);
            socket.receive(answer);
            return IpAddress.of(answer.getData()).toString();
        } catch (SocketTimeoutException _) {
            return "nobody";
        }
    }

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(address, port);
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public void close() {
        over = true;
        asking.join();
        servers.forEach(DatagramSocket::close);
    }
}
