package dev.pointsman.packet.read;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Entry;
import dev.pointsman.packet.netfilter.Fate;
import dev.pointsman.packet.netfilter.Fraction;
import dev.pointsman.packet.netfilter.Memory;
import dev.pointsman.packet.netfilter.Node;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.netfilter.PacketPath;
import dev.pointsman.packet.netfilter.Path;
import dev.pointsman.packet.netfilter.Paths;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A node on which kube-proxy 1.37.2 ran for eight Services and what `ip`, `sysctl`,
/// `iptables-save`, `nft` and `conntrack` printed there. Pods of the node have 10.8.0.0/24 and
/// fd00:8::/64 and are behind cni0, those of another node 10.8.1.0/24; 10.8.0.0/16 is the cluster's
/// range.
final class Shop {
    static final Node NODE = node();

    private Shop() {}

    static String text(String name) {
        try {
            return NftReaderTest.resource("kube-proxy/" + name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Node node() {
        List<Node.Interface> interfaces = new ArrayList<>();
        for (AddressReader.Device device : AddressReader.read(text("addresses.json"))) {
            switch (device.name()) {
                case "eth0" -> interfaces.add(device.behind(Node.Side.UPLINK));
                case "lo", "cni0" -> interfaces.add(device.behind(Node.Side.PODS));
                // The other ends of the wires.
                default -> {}
            }
        }
        List<Node.Route> routes = new ArrayList<>();
        routes.addAll(RouteReader.read(text("routes.json"), Family.IPV4).routes());
        routes.addAll(RouteReader.read(text("routes6.json"), Family.IPV6).routes());
        // The machine it was taken on had no IPv6 uplink.
        routes.add(new Node.Route(Cidr.parse("::/0"), new Node.NextHop.Direct("eth0")));
        Sysctls sysctls = SysctlReader.read(text("sysctl.txt"));
        return new Node(
                interfaces, routes, sysctls.forwarding(Family.IPV4), sysctls.localnet("eth0"));
    }

    static Ruleset iptables(String name) {
        return IptablesSaveReader.read(
                text(name), name.contains("ip6") ? Family.IPV6 : Family.IPV4);
    }

    static Packet packet(String protocol, String from, String to, int port) {
        int number =
                switch (protocol) {
                    case "tcp" -> Transport.TCP;
                    case "udp" -> Transport.UDP;
                    default -> Transport.SCTP;
                };
        return new Packet(
                IpAddress.parse(from),
                IpAddress.parse(to),
                new Transport.Ported(number, 40000, port));
    }

    static Paths follow(Ruleset rules, Packet packet, Memory memory) {
        String from = packet.source().toString();
        Entry entry =
                NODE.owns(packet.source())
                        ? new Entry.Sent()
                        : Entry.Arriving.by(
                                from.startsWith("10.8.0.") || from.startsWith("fd00:8::")
                                        ? "cni0"
                                        : "eth0");
        return new PacketPath(NODE, rules).follow(packet, entry, memory);
    }

    /// What becomes of a packet, in one line.
    static String ends(Paths paths) {
        String ends =
                paths.fates().entrySet().stream()
                        .map(entry -> end(entry.getKey()) + share(entry.getValue()))
                        .sorted()
                        .collect(Collectors.joining(" | "));
        return ends
                + (paths.isTrustworthy() ? "" : " ?")
                + (paths.paths().stream().anyMatch(path -> path.reply() == Path.Reply.LOST)
                        ? " (answer lost)"
                        : "");
    }

    private static String share(Fraction share) {
        return share.equals(Fraction.ONE) ? "" : " " + share;
    }

    private static String end(Fate fate) {
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
