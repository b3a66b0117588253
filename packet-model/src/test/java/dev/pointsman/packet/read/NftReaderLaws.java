package dev.pointsman.packet.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Entry;
import dev.pointsman.packet.netfilter.Memory;
import dev.pointsman.packet.netfilter.Node;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.netfilter.PacketPath;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class NftReaderLaws {
    private static final List<String> TEXTS =
            List.of(
                    text("kube-proxy.nft"),
                    text("listing.nft"),
                    text("foreign.nft"),
                    text("/dev/pointsman/netlink/every-expression.nft"));
    private static final Node NODE =
            new Node(
                    List.of(
                            new Node.Interface(
                                    "eth0",
                                    Node.Side.UPLINK,
                                    List.of(new Node.Address(IpAddress.parse("192.168.0.2"), 24)))),
                    List.of(),
                    Node.Forwarding.ON,
                    Node.Localnet.CONFINED);

    private static String text(String name) {
        try {
            return NftReaderTest.resource(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Property(tries = 2000)
    void a_mangled_listing_is_read_or_refused_and_packets_come_to_an_end(@ForAll long seed) {
        Random random = new Random(seed);
        String mangled = mangled(TEXTS.get(random.nextInt(TEXTS.size())), random);
        Ruleset ruleset;
        try {
            ruleset = NftReader.read(mangled);
        } catch (SyntaxException e) {
            assertThat(e.line()).isBetween(1, 1 + (int) mangled.lines().count());
            return;
        }
        Packet packet =
                new Packet(
                        IpAddress.parse("192.168.0.9"),
                        IpAddress.parse("172.30.0.41"),
                        new Transport.Ported(Transport.TCP, 40000, 80));
        assertThat(
                        new PacketPath(NODE, ruleset)
                                .follow(packet, Entry.Arriving.by("eth0"), Memory.blank())
                                .paths())
                .isNotEmpty();
    }

    /// With some pieces cut out, doubled, moved or replaced by a letter.
    static String mangled(String text, Random random) {
        StringBuilder mangled = new StringBuilder(text);
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes && mangled.length() > 10; i++) {
            int from = random.nextInt(mangled.length() - 1);
            int to = Math.min(mangled.length(), from + 1 + random.nextInt(30));
            String piece = mangled.substring(from, to);
            switch (random.nextInt(4)) {
                case 0 -> mangled.delete(from, to);
                case 1 -> mangled.insert(from, piece);
                case 2 -> {
                    mangled.delete(from, to);
                    mangled.insert(random.nextInt(mangled.length()), piece);
                }
                default -> mangled.setCharAt(from, (char) (32 + random.nextInt(95)));
            }
        }
        return mangled.toString();
    }
}
