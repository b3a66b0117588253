package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.read.NftReader;
import java.util.List;
import java.util.stream.Collectors;

/// The node of the tests here, its neighbours, and packets between them. Real namespaces that look
/// the same are in [RealTown].
final class Town {
    static final String CLIENT = "10.9.0.100";
    static final String POD = "10.8.1.1";
    static final String HOST = "10.9.0.2";
    static final String ENDPOINT_1 = "10.8.0.1";
    static final String ENDPOINT_2 = "10.8.0.2";
    static final String SERVICE = "172.30.0.1";

    static final Node NODE =
            new Node(
                    List.of(
                            device(Node.LOOPBACK, Node.Side.PODS, "127.0.0.1/8", "::1/128"),
                            device("eth0", Node.Side.UPLINK, "10.9.0.2/24", "fd09::2/64"),
                            device("pod0", Node.Side.PODS, "10.8.1.254/24"),
                            device("ends", Node.Side.PODS, "10.8.0.254/24", "fd08::254/64"),
                            device("eth1", Node.Side.UPLINK, "10.7.0.254/24")),
                    List.of(
                            new Node.Route(
                                    Cidr.parse("0.0.0.0/0"),
                                    new Node.NextHop.Via(IpAddress.parse("10.7.0.1"), "eth1"))),
                    Node.Forwarding.ON,
                    Node.Localnet.CONFINED);

    private Town() {}

    private static Node.Interface device(String name, Node.Side side, String... addresses) {
        return new Node.Interface(
                name,
                side,
                List.of(addresses).stream()
                        .map(text -> text.split("/", -1))
                        .map(
                                parts ->
                                        new Node.Address(
                                                IpAddress.parse(parts[0]),
                                                Integer.parseInt(parts[1])))
                        .toList());
    }

    static Packet udp(String from, String to, int port) {
        return udp(from, 40000, to, port);
    }

    static Packet udp(String from, int fromPort, String to, int port) {
        return new Packet(
                IpAddress.parse(from),
                IpAddress.parse(to),
                new Transport.Ported(Transport.UDP, fromPort, port));
    }

    /// How a packet of this sender gets in.
    static Entry entry(String sender) {
        return switch (sender) {
            case POD -> Entry.Arriving.by("pod0");
            case HOST -> new Entry.Sent();
            default -> Entry.Arriving.by("eth0");
        };
    }

    static Paths follow(String rules, Packet packet) {
        return follow(rules, packet, Memory.blank());
    }

    static Paths follow(String rules, Packet packet, Memory memory) {
        return new PacketPath(NODE, NftReader.read(rules))
                .follow(packet, entry(packet.source().toString()), memory);
    }

    /// What becomes of a packet, in one line: ends with chances, sorted.
    static String ends(Paths paths) {
        return paths.fates().entrySet().stream()
                .map(entry -> fate(entry.getKey()) + share(entry.getValue()))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static String share(Fraction share) {
        return share.equals(Fraction.ONE) ? "" : " " + share;
    }

    private static String fate(Fate fate) {
        return switch (fate) {
            case Fate.Received(var packet) -> "here " + shown(packet);
            case Fate.Left(String device, var packet) -> device + " " + shown(packet);
            case Fate.Dropped(var cause) -> "dropped " + cause;
            case Fate.Rejected(var refusal) -> "rejected " + refusal;
        };
    }

    private static String shown(Packet packet) {
        return packet.source() + ">" + packet.destination() + ":" + packet.destinationPort();
    }
}
