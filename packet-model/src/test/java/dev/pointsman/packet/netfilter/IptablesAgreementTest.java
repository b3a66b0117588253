package dev.pointsman.packet.netfilter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.packet.read.IpsetSaveReader;
import dev.pointsman.packet.read.Ipsets;
import dev.pointsman.packet.read.IptablesSaveReader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// As [KernelAgreementTest], in iptables' language and with both of its variants.
final class IptablesAgreementTest {
    private static final int RULESETS = Integer.getInteger("rulesets", 40);
    private static final long SEED = Long.getLong("seed", 20261129L);
    private static final String EMPTY =
            """
            *mangle
            COMMIT
            *nat
            COMMIT
            *filter
            :INPUT ACCEPT
            :FORWARD ACCEPT
            :OUTPUT ACCEPT
            COMMIT
            """;

    @KernelTest(tools = {"nft", "ipset", "iptables-nft-restore", "iptables-legacy-restore"})
    void model_and_kernel_agree_about_random_packets() throws Exception {
        int packets = 0;
        try (RealTown town = new RealTown()) {
            town.run(RandomIptables.IPSETS, "ipset", "restore");
            Ipsets ipsets = IpsetSaveReader.read(town.run("", "ipset", "save"));
            for (int i = 0; i < RULESETS; i++) {
                String variant = i % 2 == 0 ? "iptables-nft" : "iptables-legacy";
                packets += compare(town, variant, ipsets, SEED + i);
            }
        }
        System.out.println(
                "model and kernel agree about "
                        + packets
                        + " packets in "
                        + RULESETS
                        + " rulesets of iptables, seed "
                        + SEED);
        assertThat(packets).isGreaterThanOrEqualTo(RULESETS * 20);
    }

    private static int compare(RealTown town, String variant, Ipsets ipsets, long seed)
            throws Exception {
        String rules = new RandomIptables(seed).ruleset();
        town.load("");
        town.run(EMPTY, "iptables-legacy-restore", "-w");
        town.run(rules, variant + "-restore", "-w");
        Ruleset told = read(rules, ipsets);
        // What the kernel lists must mean the same as what it was told.
        Ruleset listed = read(town.run("", variant + "-save"), ipsets);
        List<Packet> packets = packets(town);
        List<RealTown.Sighting> sightings = town.send(packets);
        for (int i = 0; i < packets.size(); i++) {
            Packet packet = packets.get(i);
            Set<RealTown.Sighting> possible = KernelAgreementTest.possible(told, packet);
            assertThat(KernelAgreementTest.possible(listed, packet))
                    .as("listed: %s, seed %d, %s\n%s", variant, seed, packet, rules)
                    .isEqualTo(possible);
            assertThat(possible)
                    .as("%s, seed %d, %s\n%s", variant, seed, packet, rules)
                    .contains(sightings.get(i));
        }
        return packets.size();
    }

    private static Ruleset read(String rules, Ipsets ipsets) {
        return IptablesSaveReader.read(new StringReader(rules), Family.IPV4, ipsets);
    }

    private static List<Packet> packets(RealTown town) {
        List<Packet> packets = new ArrayList<>();
        for (String sender : RandomRules.SENDERS) {
            for (String destination : RandomRules.DESTINATIONS) {
                if (!sender.equals(destination)) {
                    packets.add(
                            Town.udp(
                                    sender,
                                    town.freePort(),
                                    destination,
                                    packets.size() % 2 == 0 ? 80 : 8080));
                }
            }
        }
        return packets;
    }
}
