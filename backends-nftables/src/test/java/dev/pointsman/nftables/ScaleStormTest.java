package dev.pointsman.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.TrafficPolicy;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// One Service is scaled up and down and its endpoints swapped 1,000 times under a stream of new
/// connections. None may be lost, and none may reach an endpoint whose removal was committed before
/// the connection began.
class ScaleStormTest {
    private static final int CHANGES = 1000;
    private static final int PODS = 6;
    private static final int CLIENTS = 4;

    /// How many connections are made between two changes at least.
    private static final int CONNECTIONS_EACH = 4;

    private static final int FIRST_PORT = 10000;
    private static final int LAST_PORT = 65000;

    /// How many at most: a client that comes round to a port again may meet the connection that had
    /// it before, whose endpoint may be gone.
    private static final int CONNECTIONS_AT_MOST = 100;

    private static final int PATIENCE_SECONDS = 60;
    private static final ServiceName NAME = new ServiceName("storm", "web");

    /// The endpoints that were wanted from one commit on. The kernel may use them from `begun` on
    /// and must use no others from `committed` on.
    private record Wanted(SortedSet<Integer> pods, long begun, long committed) {}

    private record Connection(long begun, long ended, int pod) {}

    private final List<Wanted> history = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<Connection> connections = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger made = new AtomicInteger();
    private final Semaphore allowed = new Semaphore(CONNECTIONS_AT_MOST);
    private final AtomicBoolean over = new AtomicBoolean();

    @KernelTest
    void every_connection_reaches_an_endpoint_that_is_wanted() throws Exception {
        List<AutoCloseable> opened = new ArrayList<>();
        try (TestNamespace node = TestNamespace.create()) {
            node.run("sysctl", "-qw", "net.ipv4.ip_forward=1");
            List<Thread> clients = new ArrayList<>();
            try {
                for (int pod = 0; pod < PODS; pod++) {
                    TestNamespace namespace = attach(node, "pod" + pod, podAddress(pod), opened);
                    opened.add(serve(namespace, pod));
                }
                for (int client = 0; client < CLIENTS; client++) {
                    TestNamespace namespace =
                            attach(node, "client" + client, "192.0.2." + (100 + client), opened);
                    clients.add(Thread.ofPlatform().unstarted(() -> dialUntilOver(namespace)));
                }
                node.namespace()
                        .call(
                                () -> {
                                    storm(clients);
                                    return true;
                                });
            } finally {
                over.set(true);
                for (Thread client : clients) {
                    client.join();
                }
                for (AutoCloseable each : opened.reversed()) {
                    each.close();
                }
            }
        }
        assertThat(failures).isEmpty();
        assertThat(connections).hasSizeGreaterThan(CHANGES);
        for (Connection connection : connections) {
            assertThat(couldReach(connection)).as("%s, with %s", connection, history).isTrue();
        }
    }

    /// Runs in the node's namespace.
    private void storm(List<Thread> clients) {
        NodeView node = new NodeView("node", "", List.of(IpAddress.parse("192.0.2.1")), List.of());
        Planner planner = new Planner(Family.IPV4, node, Settings.nftablesDefaults());
        Random random = new Random(7);
        try (Dataplane dataplane = new NftablesMode().dataplane(Family.IPV4)) {
            apply(planner, dataplane, new TreeSet<>(List.of(0, 1, 2, 3)));
            clients.forEach(Thread::start);
            for (int change = 0; change < CHANGES; change++) {
                // Counted before they are allowed: else all of them may be over when we look.
                int enough = made.get() + CONNECTIONS_EACH;
                allowed.release(CONNECTIONS_AT_MOST - allowed.availablePermits());
                awaitConnections(enough);
                apply(planner, dataplane, next(history.getLast().pods(), random));
            }
        }
    }

    /// One to all pods; half of the time the same number as before, others.
    private static SortedSet<Integer> next(SortedSet<Integer> pods, Random random) {
        int size = random.nextBoolean() ? pods.size() : 1 + random.nextInt(PODS);
        SortedSet<Integer> next = new TreeSet<>();
        while (next.size() < size) {
            next.add(random.nextInt(PODS));
        }
        return next;
    }

    private void apply(Planner planner, Dataplane dataplane, SortedSet<Integer> pods) {
        RuleGraph before = planner.graph();
        Delta delta =
                planner.plan(List.of(new ServiceState.Present(service(), List.of(slice(pods)))));
        long begun = System.nanoTime();
        Commit commit = dataplane.commit(dataplane.render(before, delta));
        assertThat(commit).isEqualTo(new Commit.Applied());
        history.add(new Wanted(pods, begun, System.nanoTime()));
    }

    private void awaitConnections(int count) {
        // Whoever waits for a connection says first what is wrong with it.
        Instant deadline = Instant.now().plusSeconds(3 * PATIENCE_SECONDS);
        while (made.get() < count && failures.isEmpty()) {
            assertThat(Instant.now()).as("connections made: " + made).isBefore(deadline);
            Thread.onSpinWait();
        }
    }

    private boolean couldReach(Connection connection) {
        for (int i = 0; i < history.size(); i++) {
            Wanted wanted = history.get(i);
            boolean replacedBefore =
                    i + 1 < history.size() && history.get(i + 1).committed() < connection.begun();
            if (!replacedBefore
                    && wanted.begun() < connection.ended()
                    && wanted.pods().contains(connection.pod())) {
                return true;
            }
        }
        return false;
    }

    private void dialUntilOver(TestNamespace client) {
        try {
            client.namespace()
                    .call(
                            () -> {
                                int port = FIRST_PORT;
                                while (!over.get() && failures.isEmpty()) {
                                    if (allowed.tryAcquire(1, TimeUnit.MILLISECONDS)) {
                                        dial(port);
                                        port = port == LAST_PORT ? FIRST_PORT : port + 1;
                                    }
                                }
                                return true;
                            });
        } catch (Exception e) {
            failures.add(e.toString());
        }
    }

    /// @param port one that was not used for as long as can be: conntrack may still know the
    ///   connection that had it before, and where that one went
    private void dial(int port) {
        long begun = System.nanoTime();
        try (Socket socket = new Socket()) {
            // A reset instead of TIME_WAIT, which would keep the port.
            socket.setSoLinger(true, 0);
            socket.bind(new InetSocketAddress(port));
            socket.setSoTimeout(PATIENCE_SECONDS * 1000);
            socket.connect(
                    new InetSocketAddress(InetAddress.ofLiteral("10.96.0.80"), 80),
                    PATIENCE_SECONDS * 1000);
            int pod = socket.getInputStream().read();
            connections.add(new Connection(begun, System.nanoTime(), pod));
            made.incrementAndGet();
        } catch (IOException e) {
            failures.add("connection " + made + ": " + e);
        }
    }

    private static ServerSocket serve(TestNamespace namespace, int pod) throws Exception {
        ServerSocket server = namespace.namespace().call(() -> new ServerSocket(8080, 512));
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            while (!server.isClosed()) {
                                try {
                                    Socket connection = server.accept();
                                    Thread.ofVirtual().start(() -> answer(connection, pod));
                                } catch (java.net.SocketException _) {
                                    // The server was closed.
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            }
                        });
        return server;
    }

    /// One client whose reset does not come must not keep the others waiting.
    private static void answer(Socket accepted, int pod) {
        try (Socket connection = accepted) {
            connection.getOutputStream().write(pod);
            // The client resets when it has read; until then the port stays in use.
            if (connection.getInputStream().read() != -1) {
                throw new IOException("a client sent something");
            }
        } catch (java.net.SocketException _) {
            // That reset.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TestNamespace attach(
            TestNamespace node, String link, String address, List<AutoCloseable> opened) {
        TestNamespace peer = TestNamespace.create();
        opened.add(peer);
        node.wire(link, peer, "192.0.2.1", address);
        return peer;
    }

    private static String podAddress(int pod) {
        return "10.128.0." + (10 + pod);
    }

    private static Service service() {
        return new Service(
                NAME,
                Instant.EPOCH,
                Service.Type.CLUSTER_IP,
                new Service.Addresses(List.of(IpAddress.parse("10.96.0.80")), List.of(), List.of()),
                List.of(),
                TrafficPolicy.CLUSTER,
                TrafficPolicy.CLUSTER,
                new Affinity.None(),
                0,
                List.of(new Service.Port("http", Protocol.TCP, 80, 0)),
                "");
    }

    private static EndpointSlice slice(SortedSet<Integer> pods) {
        return new EndpointSlice(
                "web-1",
                NAME,
                Family.IPV4,
                List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
                pods.stream()
                        .map(
                                pod ->
                                        new EndpointSlice.Entry(
                                                IpAddress.parse(podAddress(pod)),
                                                "elsewhere",
                                                EndpointSlice.Conditions.READY,
                                                EndpointSlice.Hints.NONE))
                        .toList());
    }
}
