package dev.pointsman.packet.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Memory;
import dev.pointsman.packet.netfilter.Ruleset;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/// Readers never crash or hang, whatever becomes of their texts.
class SavedReaderLaws {
    private static final Ipsets IPSETS = IpsetSaveReader.read(text("ipset.save"));

    private record Read(String text, Consumer<String> reader) {}

    private static final List<Read> OTHERS =
            List.of(
                    new Read(text("ipset.save"), IpsetSaveReader::read),
                    new Read(Shop.text("addresses.json"), AddressReader::read),
                    new Read(
                            Shop.text("routes-all.json"),
                            text -> RouteReader.read(text, Family.IPV4)),
                    new Read(Shop.text("conntrack-extended.txt"), ConntrackReader::read),
                    new Read(Shop.text("sysctl.txt"), SysctlReader::read),
                    new Read(text("statements.json"), NftJsonReader::read),
                    new Read(text("kube-proxy.json"), NftJsonReader::read),
                    new Read(
                            """
                            -A -t 10.96.0.1:443 -s rr -p 9 -M 255.255.255.0
                            -a -t 10.96.0.1:443 -r 192.0.2.10:6443 -m -w 1
                            -E -t 10.96.0.1:443 -s sh -b sh-port,sh-fallback
                            -e -t 10.96.0.1:443 -r 192.0.2.10:6443 -m -w 0 -x 3
                            -d -t 10.96.0.1:443 -r 192.0.2.10:6443
                            -A -f 7 -6 -s wlc
                            -D -t 10.96.0.1:443
                            """,
                            IpvsadmSaveReader::read));

    private static final List<String> SENDERS = List.of("198.51.100.7", "10.8.1.1");

    private static String text(String name) {
        try {
            return NftReaderTest.resource(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Property(tries = 1000)
    void mangled_rules_are_read_or_refused_and_packets_come_to_an_end(@ForAll long seed) {
        Random random = new Random(seed);
        String mangled =
                NftReaderLaws.mangled(
                        random.nextInt(3) == 0
                                ? Shop.text("shop.iptables-nft")
                                : text("broad.iptables-legacy"),
                        random);
        Ruleset ruleset;
        try {
            ruleset = IptablesSaveReader.read(new StringReader(mangled), Family.IPV4, IPSETS);
        } catch (SyntaxException e) {
            assertThat(e.line()).isBetween(1, 1 + (int) mangled.lines().count());
            assertThat(e.column()).isPositive();
            return;
        }
        assertThat(
                        Shop.follow(
                                        ruleset,
                                        Shop.packet("tcp", "198.51.100.7", "10.96.0.10", 80),
                                        Memory.blank())
                                .paths())
                .isNotEmpty();
    }

    @Property(tries = 1000)
    void mangled_scripts_are_read_or_refused_and_packets_come_to_an_end(@ForAll long seed) {
        Random random = new Random(seed);
        String mangled = NftReaderLaws.mangled(text("ipvs.sh"), random);
        Ruleset ruleset;
        try {
            ruleset = NodeScriptReader.read(mangled, Family.IPV4).ruleset();
        } catch (SyntaxException e) {
            assertThat(e.line()).isBetween(1, 1 + (int) mangled.lines().count());
            assertThat(e.column()).isPositive();
            return;
        }
        for (String sender : SENDERS) {
            for (String protocol : List.of("tcp", "udp")) {
                assertThat(
                                Shop.follow(
                                                ruleset,
                                                Shop.packet(protocol, sender, "10.96.0.10", 80),
                                                Memory.blank())
                                        .paths())
                        .isNotEmpty();
            }
        }
    }

    @Property(tries = 2000)
    void mangled_listings_are_read_or_refused(@ForAll long seed) {
        Random random = new Random(seed);
        Read read = OTHERS.get(random.nextInt(OTHERS.size()));
        String mangled = NftReaderLaws.mangled(read.text(), random);
        try {
            read.reader().accept(mangled);
        } catch (SyntaxException e) {
            assertThat(e.line()).isBetween(1, 1 + (int) mangled.lines().count());
            assertThat(e.column()).isPositive();
        }
    }
}
