package dev.pointsman.packet.netfilter;

import dev.pointsman.netlink.TestNamespace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Real namespaces laid out as [Town] says: a node with a client, a pod, endpoints and the rest of
/// the world around it. Servers listen on every address at two UDP ports and answer.
final class RealTown implements AutoCloseable {
    private static final int[] PORTS = {80, 8080};
    private static final long QUIET_MILLISECONDS = 300;

    /// What was seen of one datagram.
    ///
    /// @param end what became of it, in the words of [Town#ends] without the interface
    /// @param answered whether the sender got the answer
    record Sighting(String end, boolean answered) {}

    private record Server(String address, int port) {}

    private record Sender(int number) {}

    private final TestNamespace node = TestNamespace.create();
    private final TestNamespace client = TestNamespace.create();
    private final TestNamespace pod = TestNamespace.create();
    private final TestNamespace ends = TestNamespace.create();
    private final TestNamespace away = TestNamespace.create();
    private final Selector selector;
    private int nextPort = 20000;

    RealTown() throws Exception {
        selector = Selector.open();
        link(client, "eth0", "10.9.0.2/24", "10.9.0.100/24");
        link(pod, "pod0", "10.8.1.254/24", "10.8.1.1/24");
        link(ends, "ends", "10.8.0.254/24", "10.8.0.1/24");
        link(away, "eth1", "10.7.0.254/24", "10.7.0.1/24");
        ends.run("ip", "address", "add", "10.8.0.2/24", "dev", "wire");
        away.run("ip", "address", "add", "172.30.0.1/32", "dev", "lo");
        away.run("ip", "address", "add", "172.30.0.2/32", "dev", "lo");
        node.run("ip", "route", "add", "default", "via", "10.7.0.1");
        // Refusals are counted, and so none may be held back.
        node.run(
                "sysctl",
                "-qw",
                "net.ipv4.ip_forward=1",
                "net.ipv4.conf.all.rp_filter=0",
                "net.ipv4.conf.eth0.rp_filter=0",
                "net.ipv4.conf.eth1.rp_filter=0",
                "net.ipv4.conf.pod0.rp_filter=0",
                "net.ipv4.conf.ends.rp_filter=0",
                "net.ipv4.icmp_ratelimit=0");
        serve(client, "10.9.0.100");
        serve(pod, "10.8.1.1");
        serve(ends, "10.8.0.1", "10.8.0.2");
        serve(away, "10.7.0.1", "172.30.0.1", "172.30.0.2");
        serve(node, "10.9.0.2", "10.8.1.254", "10.8.0.254", "10.7.0.254", "127.0.0.1");
    }

    private void link(TestNamespace other, String device, String here, String there) {
        node.run(
                "ip",
                "link",
                "add",
                device,
                "type",
                "veth",
                "peer",
                "name",
                "wire",
                "netns",
                other.name());
        node.run("ip", "address", "add", here, "dev", device);
        node.run("ip", "link", "set", device, "up");
        other.run("ip", "address", "add", there, "dev", "wire");
        other.run("ip", "link", "set", "wire", "up");
        other.run("ip", "route", "add", "default", "via", here.substring(0, here.indexOf('/')));
    }

    private void serve(TestNamespace namespace, String... addresses) throws Exception {
        for (String address : addresses) {
            for (int port : PORTS) {
                DatagramChannel channel = bound(namespace, address, port);
                channel.register(selector, SelectionKey.OP_READ, new Server(address, port));
            }
        }
    }

    private static DatagramChannel bound(TestNamespace namespace, String address, int port)
            throws Exception {
        return namespace
                .namespace()
                .call(
                        () -> {
                            DatagramChannel channel = DatagramChannel.open();
                            channel.bind(new InetSocketAddress(address, port));
                            channel.configureBlocking(false);
                            return channel;
                        });
    }

    void load(String rules) {
        node.feed("flush ruleset\n" + rules, "nft", "-f", "-");
    }

    /// Runs a program on the node.
    String run(String input, String... command) {
        return node.feed(input, command);
    }

    String listing() {
        return node.run("nft", "list", "ruleset");
    }

    /// Source ports, each used once: an old conntrack entry would decide about a new flow.
    int freePort() {
        return nextPort++;
    }

    /// Sends each packet and tells what became of it.
    List<Sighting> send(List<Packet> packets) throws Exception {
        Map<Integer, String> received = new TreeMap<>();
        Map<Integer, String> refused = new TreeMap<>();
        List<Integer> answered = new ArrayList<>();
        List<DatagramChannel> senders = new ArrayList<>();
        for (int i = 0; i < packets.size(); i++) {
            Packet packet = packets.get(i);
            String from = packet.source().toString();
            DatagramChannel channel = bound(namespace(from), from, packet.sourcePort());
            senders.add(channel);
            channel.register(selector, SelectionKey.OP_READ, new Sender(i));
            channel.connect(
                    new InetSocketAddress(
                            packet.destination().toString(), packet.destinationPort()));
            try {
                channel.write(ByteBuffer.wrap(new byte[] {(byte) i}));
            } catch (PortUnreachableException _) {
                refused.put(i, "rejected PORT_UNREACHABLE");
            } catch (IOException _) {
                // The node's own packet was dropped (EPERM); if it was refused, that comes by ICMP.
            }
            collect(0, received, refused, answered);
        }
        boolean quiet = false;
        while (!quiet) {
            quiet = !collect(QUIET_MILLISECONDS, received, refused, answered);
        }
        List<Sighting> sightings = new ArrayList<>();
        for (int i = 0; i < packets.size(); i++) {
            senders.get(i).close();
            String fate = received.getOrDefault(i, refused.getOrDefault(i, "dropped"));
            sightings.add(new Sighting(fate, answered.contains(i)));
        }
        return sightings;
    }

    private TestNamespace namespace(String address) {
        return switch (address) {
            case Town.POD -> pod;
            case Town.HOST -> node;
            default -> client;
        };
    }

    /// Takes what has come in, waiting so long for the first of it.
    private boolean collect(
            long milliseconds,
            Map<Integer, String> received,
            Map<Integer, String> refused,
            List<Integer> answered)
            throws IOException {
        int ready = milliseconds == 0 ? selector.selectNow() : selector.select(milliseconds);
        for (SelectionKey key : selector.selectedKeys()) {
            if (!key.isValid() || !(key.channel() instanceof DatagramChannel channel)) {
                continue;
            }
            ByteBuffer buffer = ByteBuffer.allocate(8);
            switch (key.attachment()) {
                case Server(String address, int port) -> {
                    while (channel.receive(buffer) instanceof InetSocketAddress sender) {
                        received.put(
                                (int) buffer.get(0),
                                sender.getAddress().getHostAddress() + ">" + address + ":" + port);
                        buffer.flip();
                        answer(channel, buffer, sender);
                        buffer.clear();
                    }
                }
                case Sender(int number) -> {
                    try {
                        if (channel.read(buffer) > 0) {
                            answered.add(number);
                        }
                    } catch (PortUnreachableException _) {
                        refused.put(number, "rejected PORT_UNREACHABLE");
                    }
                }
                default -> throw new AssertionError(key.attachment());
            }
        }
        selector.selectedKeys().clear();
        return ready > 0;
    }

    private static void answer(DatagramChannel channel, ByteBuffer buffer, InetSocketAddress sender)
            throws IOException {
        try {
            channel.send(buffer, sender);
        } catch (PortUnreachableException _) {
            throw new AssertionError("a server's answer was refused");
        } catch (IOException _) {
            // Rules of the output hook drop answers too (EPERM): then the sender gets none.
        }
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
        for (TestNamespace namespace : List.of(node, client, pod, ends, away)) {
            namespace.close();
        }
    }
}
