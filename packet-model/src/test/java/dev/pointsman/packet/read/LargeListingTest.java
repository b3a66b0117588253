package dev.pointsman.packet.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Entry;
import dev.pointsman.packet.netfilter.Fraction;
import dev.pointsman.packet.netfilter.Memory;
import dev.pointsman.packet.netfilter.Node;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.netfilter.PacketPath;
import dev.pointsman.packet.netfilter.Paths;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Transport;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// 10,000 Services with 5 endpoints each. The times are printed, not asserted: they are the
/// machine's.
final class LargeListingTest {
    private static final int SERVICES = 10_000;
    private static final int ENDPOINTS = 5;
    private static final Node NODE =
            new Node(
                    List.of(
                            new Node.Interface(
                                    "eth0",
                                    Node.Side.PODS,
                                    List.of(new Node.Address(IpAddress.parse("10.0.0.1"), 8)))),
                    List.of(
                            new Node.Route(
                                    Cidr.parse("0.0.0.0/0"), new Node.NextHop.Direct("eth0"))),
                    Node.Forwarding.ON,
                    Node.Localnet.CONFINED);

    @Test
    void every_service_of_a_large_listing_leads_to_its_endpoints() {
        String text = listing();
        long start = cpu();
        Ruleset ruleset = NftReader.read(text);
        long read = cpu();
        PacketPath model = new PacketPath(NODE, ruleset);
        for (int service = 0; service < SERVICES; service++) {
            Paths paths =
                    model.follow(
                            new Packet(
                                    IpAddress.parse("10.0.0.9"),
                                    IpAddress.parse(address(172, service)),
                                    new Transport.Ported(Transport.TCP, 40000, 80)),
                            Entry.Arriving.by("eth0"),
                            Memory.blank());
            assertThat(paths.fates()).hasSize(ENDPOINTS).containsValue(Fraction.of(1, ENDPOINTS));
        }
        long followed = cpu();
        System.out.printf(
                Locale.ROOT,
                "%d Services x %d endpoints, %d KiB: read in %d ms of processor time, one packet for"
                        + " each followed in %d ms%n",
                SERVICES,
                ENDPOINTS,
                text.length() / 1024,
                (read - start) / 1_000_000,
                (followed - read) / 1_000_000);
    }

    /// Other work on the machine does not count.
    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static String address(int first, int number) {
        return first + ".30." + number / 250 + "." + (number % 250 + 1);
    }

    private static String listing() {
        StringBuilder text = new StringBuilder("table ip pointsman {\n");
        text.append("\tmap services {\n\t\ttypeof ip daddr . meta l4proto . th dport : verdict\n");
        text.append("\t\telements = { ");
        for (int service = 0; service < SERVICES; service++) {
            text.append(service == 0 ? "" : ",\n\t\t\t     ")
                    .append(address(172, service))
                    .append(" . tcp . 80 : goto pick-")
                    .append(ENDPOINTS);
        }
        text.append(" }\n\t}\n\tmap endpoints {\n\t\ttypeof ip daddr . meta l4proto . th dport");
        text.append(" . numgen random mod 2 : ip daddr . th dport\n\t\telements = { ");
        for (int service = 0; service < SERVICES; service++) {
            for (int slot = 0; slot < ENDPOINTS; slot++) {
                text.append(service + slot == 0 ? "" : ",\n\t\t\t     ")
                        .append(address(172, service))
                        .append(" . tcp . 80 . ")
                        .append(slot)
                        .append(" : ")
                        .append(address(10 + slot, service))
                        .append(" . 8080");
            }
        }
        return text.append(" }\n\t}\n\tchain pick-")
                .append(ENDPOINTS)
                .append(
                        " {\n\t\tdnat ip to ip daddr . meta l4proto . th dport . numgen random mod ")
                .append(ENDPOINTS)
                .append(" map @endpoints\n\t}\n\tchain pre {\n")
                .append("\t\ttype nat hook prerouting priority dstnat; policy accept;\n")
                .append("\t\tip daddr . meta l4proto . th dport vmap @services\n\t}\n}\n")
                .toString();
    }
}
