package dev.pointsman.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.conntrack.ConntrackCleanup;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Settings;
import dev.pointsman.netlink.TestNamespace;
import dev.pointsman.store.ClusterEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// A node that the loop programs, a client outside at 192.0.2.100, and pods at 10.1.0.1 to 10.1.0.3
/// whose port 5353 answers each datagram with its own address.
final class UdpTown implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;
    private static final int ANSWER_MILLIS = 300;

    /// What no clean-up may touch: entries that look like those of the Service at 10.96.0.53, each
    /// with the mark 77.
    private static final List<String> DECOYS =
            List.of(
                    // A TCP connection to an endpoint that is no more.
                    "-p tcp --state ESTABLISHED -s 10.1.0.9 -d 10.96.0.53 --sport 1001 --dport 53"
                            + " -r 10.1.0.77 -q 10.1.0.9 --reply-port-src 5353 --reply-port-dst"
                            + " 1001",
                    // Other DNS servers, one translated by somebody else.
                    "-p udp -s 10.1.0.9 -d 203.0.113.8 --sport 1002 --dport 53 -r 203.0.113.8 -q"
                            + " 10.1.0.9 --reply-port-src 53 --reply-port-dst 1002",
                    "-p udp -s 10.1.0.9 -d 203.0.113.9 --sport 1003 --dport 53 -r 10.1.0.77 -q"
                            + " 10.1.0.9 --reply-port-src 5353 --reply-port-dst 1003",
                    // The same port on an address of the node, and a node port elsewhere.
                    "-p udp -s 192.0.2.100 -d 192.0.2.1 --sport 1004 --dport 53 -r 192.0.2.1 -q"
                            + " 192.0.2.100 --reply-port-src 53 --reply-port-dst 1004",
                    "-p udp -s 192.0.2.1 -d 192.0.2.7 --sport 1005 --dport 30053 -r 192.0.2.7 -q"
                            + " 192.0.2.1 --reply-port-src 30053 --reply-port-dst 1005",
                    "-p udp -s 10.1.0.9 -d 10.1.0.254 --sport 1006 --dport 30053 -r 10.1.0.254 -q"
                            + " 10.1.0.9 --reply-port-src 30053 --reply-port-dst 1006",
                    // Another zone, straight to a pod, and another port of the same address.
                    "-p udp -s 10.1.0.9 -d 10.96.0.53 --sport 1007 --dport 53 -r 10.1.0.77 -q"
                            + " 10.1.0.9 --reply-port-src 5353 --reply-port-dst 1007 -w 5",
                    "-p udp -s 10.1.0.9 -d 10.1.0.77 --sport 1008 --dport 5353 -r 10.1.0.77 -q"
                            + " 10.1.0.9 --reply-port-src 5353 --reply-port-dst 1008",
                    "-p udp -s 10.1.0.9 -d 10.96.0.53 --sport 1009 --dport 54 -r 10.1.0.77 -q"
                            + " 10.1.0.9 --reply-port-src 5353 --reply-port-dst 1009");

    final TestNamespace node = TestNamespace.create();
    private final TestNamespace outside = TestNamespace.create();
    private final TestNamespace pods = TestNamespace.create();
    private final List<DatagramSocket> sockets = new ArrayList<>();
    private final DatagramSocket client;
    private final BlockingQueue<SyncReport> reports = new LinkedBlockingQueue<>();
    private SyncLoop loop;
    private CompletableFuture<Outcome> end = new CompletableFuture<>();

    UdpTown() throws Exception {
        node.run("sysctl", "-qw", "net.ipv4.ip_forward=1");
        link("client", outside, "192.0.2.1/24");
        link("pods", pods, "10.1.0.254/24");
        outside.run("ip", "addr", "add", "192.0.2.100/24", "dev", "eth0");
        outside.run("ip", "route", "add", "default", "via", "192.0.2.1");
        for (int i = 1; i <= 3; i++) {
            pods.run("ip", "addr", "add", "10.1.0." + i + "/24", "dev", "eth0");
        }
        pods.run("ip", "route", "add", "default", "via", "10.1.0.254");
        // As on any real node: an address that nobody has leaves it.
        node.run("ip", "route", "add", "default", "via", "192.0.2.100");
        // Connections are tracked before the first rule of ours.
        node.feed(
                "table ip other { chain c { type filter hook prerouting priority 0; ct state new"
                        + " counter; }; }",
                "nft",
                "-f",
                "-");
        DECOYS.forEach(this::insertDecoy);
        for (int i = 1; i <= 3; i++) {
            serve("10.1.0." + i);
        }
        client = outside.namespace().call(() -> new DatagramSocket(40000));
        sockets.add(client);
        client.setSoTimeout(ANSWER_MILLIS);
        loop = start();
    }

    private void link(String name, TestNamespace peer, String address) {
        node.run(
                ("ip link add " + name + " type veth peer name eth0 netns " + peer.name())
                        .split(" ", -1));
        node.run("ip", "addr", "add", address, "dev", name);
        node.run("ip", "link", "set", name, "up");
        peer.run("ip", "link", "set", "eth0", "up");
    }

    private void insertDecoy(String entry) {
        List<String> command = new ArrayList<>(List.of("conntrack", "-I", "-t", "600", "-m", "77"));
        command.addAll(List.of(entry.split(" ", -1)));
        node.run(command.toArray(String[]::new));
    }

    private void serve(String address) throws Exception {
        DatagramSocket socket =
                pods.namespace()
                        .call(() -> new DatagramSocket(new InetSocketAddress(address, 5353)));
        sockets.add(socket);
        byte[] answer = address.getBytes(StandardCharsets.UTF_8);
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            while (!socket.isClosed()) {
                                try {
                                    var question = new DatagramPacket(new byte[64], 64);
                                    socket.receive(question);
                                    socket.send(
                                            new DatagramPacket(
                                                    answer,
                                                    answer.length,
                                                    question.getSocketAddress()));
                                } catch (IOException e) {
                                    if (!socket.isClosed()) {
                                        throw new UncheckedIOException(e);
                                    }
                                }
                            }
                        });
    }

    private SyncLoop start() {
        TreeMap<Family, Dataplane> dataplanes = new TreeMap<>();
        for (Mode mode : ServiceLoader.load(Mode.class)) {
            if (mode.name().equals("nftables")) {
                dataplanes.put(Family.IPV4, mode.dataplane(Family.IPV4));
            }
        }
        SyncLoop started =
                new SyncLoop(
                        "node-a",
                        Settings.nftablesDefaults(),
                        Pace.DEFAULT,
                        dataplanes,
                        new ConntrackCleanup(),
                        System::nanoTime,
                        reports::add,
                        _ -> {});
        end = new CompletableFuture<>();
        CompletableFuture<Outcome> told = end;
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                told.complete(node.namespace().call(() -> work(started)));
                            } catch (Exception e) {
                                told.completeExceptionally(e);
                            }
                        });
        return started;
    }

    private static Outcome work(SyncLoop loop) throws InterruptedException {
        Outcome outcome = loop.run(_ -> false);
        loop.finish();
        return outcome;
    }

    /// The process dies and another one starts, which is told `events`.
    SyncReport.FlowsCleaned restart(ClusterEvent... events) throws Exception {
        stop();
        reports.clear();
        loop = start();
        return begin(events);
    }

    /// The first word of the cluster.
    SyncReport.FlowsCleaned begin(ClusterEvent... events) throws InterruptedException {
        loop.take(List.of(events));
        loop.listed();
        return cleaned();
    }

    /// What the clean-up said that came after `events`.
    SyncReport.FlowsCleaned take(ClusterEvent... events) throws InterruptedException {
        loop.take(List.of(events));
        return cleaned();
    }

    private SyncReport.FlowsCleaned cleaned() throws InterruptedException {
        while (true) {
            SyncReport report = reports.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(report).as("a report of a clean-up").isNotNull();
            if (report instanceof SyncReport.FlowsCleaned cleaned) {
                return cleaned;
            }
            assertThat(report)
                    .isInstanceOfAny(SyncReport.Committed.class, SyncReport.FoundInPlace.class);
        }
    }

    /// Whether an event was followed by no clean-up; asked when the loop has ended.
    boolean saidNothing() throws Exception {
        stop();
        return reports.stream().noneMatch(SyncReport.FlowsCleaned.class::isInstance);
    }

    private void stop() throws Exception {
        loop.stop();
        end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        loop.close();
    }

    /// Who answers the client's next datagram; empty if nobody does.
    String ask(String address, int port) throws IOException {
        byte[] question = {'?'};
        client.send(
                new DatagramPacket(
                        question, 1, new InetSocketAddress(InetAddress.ofLiteral(address), port)));
        var answer = new DatagramPacket(new byte[64], 64);
        try {
            client.receive(answer);
        } catch (SocketTimeoutException | PortUnreachableException e) {
            return "";
        }
        return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8);
    }

    /// The entries of the client's own flows.
    List<String> flows() {
        return list("-s", "192.0.2.100", "-p", "udp")
                .filter(line -> line.contains("sport=40000"))
                .toList();
    }

    long decoys() {
        return list("-m", "77").count();
    }

    static int allDecoys() {
        return DECOYS.size();
    }

    private Stream<String> list(String... filter) {
        List<String> command = new ArrayList<>(List.of("conntrack", "-L"));
        command.addAll(List.of(filter));
        Predicate<String> entry = line -> line.contains("src=");
        return node.run(command.toArray(String[]::new)).lines().filter(entry);
    }

    @Override
    public void close() {
        loop.stop();
        end.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        sockets.forEach(DatagramSocket::close);
        pods.close();
        outside.close();
        node.close();
    }
}
