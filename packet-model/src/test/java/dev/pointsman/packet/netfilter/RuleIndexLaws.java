package dev.pointsman.packet.netfilter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.read.IpsetSaveReader;
import dev.pointsman.packet.read.IptablesSaveReader;
import dev.pointsman.packet.read.NftReader;
import java.io.StringReader;
import java.util.BitSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class RuleIndexLaws {
    private static final int NEVER = Integer.MAX_VALUE;

    @Property(tries = 300)
    void looking_only_at_rules_that_can_match_makes_no_difference(@ForAll long seed) {
        same(NftReader.read(new RandomRules(seed).ruleset()));
        same(
                IptablesSaveReader.read(
                        new StringReader(new RandomIptables(seed).ruleset()),
                        Family.IPV4,
                        IpsetSaveReader.read(RandomIptables.IPSETS)));
    }

    /// Draws and doubts before a comparison, several values, values of other fields.
    @Test
    void what_happens_before_a_comparison_is_not_left_out() {
        same(
                IptablesSaveReader.read(
                        """
                        *filter
                        :FORWARD ACCEPT
                        -A FORWARD -m statistic --mode random --probability 0.5 -d 10.8.0.2/32 -j DROP
                        -A FORWARD -m foo -d 10.8.0.2/32 -j DROP
                        -A FORWARD -m recent --name r --set -d 10.8.0.2/32 -j DROP
                        -A FORWARD ! -s 10.9.0.100/32 -d 10.8.0.1/32 -j DROP
                        -A FORWARD -p udp -m multiport --dports 80,8080 -m mark --mark 1 -j DROP
                        -A FORWARD -j MARK --set-mark 1
                        -A FORWARD -d 10.8.0.1/32 -p udp -m multiport --dports 80,8080 -m mark --mark 1 -j DROP
                        COMMIT
                        """,
                        Family.IPV4));
    }

    @Test
    void a_packet_is_shown_the_rules_of_its_service_and_those_of_everybody() {
        StringBuilder text = new StringBuilder("*filter\n:FORWARD ACCEPT\n");
        for (int i = 0; i < 100; i++) {
            text.append("-A FORWARD -d 172.30.0.").append(i).append("/32 -p udp -j DROP\n");
        }
        text.append("-A FORWARD -d 172.30.0.0/24 -p udp -j DROP\nCOMMIT\n");
        Table table = IptablesSaveReader.read(text.toString(), Family.IPV4).tables().getFirst();
        Chain chain = table.chains().sequencedValues().getFirst();
        BitSet asked =
                new RuleIndex(chain.rules(), 0)
                        .asked(
                                new Situation(
                                        Fraction.ONE,
                                        Town.udp(Town.CLIENT, "172.30.0.7", 80),
                                        0,
                                        Situation.Device.NONE,
                                        Situation.Device.NONE,
                                        new Tracking.Unseen(),
                                        Memory.blank(),
                                        new Trail.Start<>(),
                                        new Trail.Start<>()),
                                new Loads(Town.NODE, table));
        assertThat(asked.stream()).containsExactly(7, 100);
    }

    private static void same(Ruleset rules) {
        PacketPath indexed = new PacketPath(Town.NODE, rules, 0);
        PacketPath plain = new PacketPath(Town.NODE, rules, NEVER);
        for (String sender : RandomRules.SENDERS) {
            for (String destination : RandomRules.DESTINATIONS) {
                for (int port : new int[] {80, 8080, 53}) {
                    Packet packet = Town.udp(sender, destination, port);
                    assertThat(indexed.follow(packet, Town.entry(sender), Memory.blank()))
                            .as("%s", packet)
                            .isEqualTo(plain.follow(packet, Town.entry(sender), Memory.blank()));
                }
            }
        }
    }
}
