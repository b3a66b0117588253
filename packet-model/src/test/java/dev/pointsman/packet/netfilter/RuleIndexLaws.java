package dev.pointsman.packet.netfilter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.read.IpsetSaveReader;
import dev.pointsman.packet.read.IptablesSaveReader;
import dev.pointsman.packet.read.NftReader;
import java.io.StringReader;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
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

    @Test
    void what_a_rule_leaves_behind_before_a_comparison_is_not_left_out() {
        var source = new Operand.Address(Family.IPV4, Operand.End.SOURCE);
        var destination = new Operand.Address(Family.IPV4, Operand.End.DESTINATION);
        Step.In other = Step.In.of(destination, Value.of(IpAddress.parse("10.8.0.9")));
        var unknown = new Step.Unknown("-m foo");
        var recent = new Step.Recent("list", source, Step.Recall.SET, Step.Sense.IS, 0, 1);
        var lookup = new Operand.Lookup(destination, new SetReference.Named("missing"));
        for (Step step : List.of(unknown, recent, Step.In.of(lookup, Value.of(1)))) {
            Rule rule = new Rule(List.of(step, other), 1, "");
            var hooked =
                    new Chain.Attachment.Hooked(
                            Chain.Type.FILTER, Hook.FORWARD, 0, Chain.Policy.ACCEPT);
            var chains = new LinkedHashMap<String, Chain>();
            chains.put("FORWARD", new Chain("FORWARD", hooked, List.of(rule)));
            Table table = new Table(Table.Scope.IP, "filter", chains, new LinkedHashMap<>());
            same(new Ruleset(List.of(table), List.of()));
        }
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
                                        new Balanced.Not(),
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
