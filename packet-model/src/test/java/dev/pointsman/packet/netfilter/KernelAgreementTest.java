package dev.pointsman.packet.netfilter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.KernelTest;
import dev.pointsman.packet.read.NftReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The same rules and the same packets, in the model and in a real kernel.
final class KernelAgreementTest {
    private static final int RULESETS = Integer.getInteger("rulesets", 60);
    private static final long SEED = Long.getLong("seed", 20261129L);

    @KernelTest
    void model_and_kernel_agree_about_random_packets() throws Exception {
        int packets = 0;
        try (RealTown town = new RealTown()) {
            for (int i = 0; i < RULESETS; i++) {
                RandomRules random = new RandomRules(SEED + i);
                packets += compare(town, random.ruleset(), SEED + i);
            }
        }
        System.out.println(
                "model and kernel agree about "
                        + packets
                        + " packets in "
                        + RULESETS
                        + " rulesets, seed "
                        + SEED);
        assertThat(packets).isGreaterThanOrEqualTo(RULESETS * 20);
    }

    private static int compare(RealTown town, String rules, long seed) throws Exception {
        town.load(rules);
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
        // What the kernel lists must mean the same as what it was told.
        Ruleset told = NftReader.read(rules);
        Ruleset listed = NftReader.read(town.listing());
        List<RealTown.Sighting> sightings = town.send(packets);
        for (int i = 0; i < packets.size(); i++) {
            Packet packet = packets.get(i);
            Set<RealTown.Sighting> possible = possible(told, packet);
            assertThat(possible(listed, packet))
                    .as("listed: seed %d, %s\n%s", seed, packet, rules)
                    .isEqualTo(possible);
            assertThat(possible)
                    .as("seed %d, %s\n%s", seed, packet, rules)
                    .contains(sightings.get(i));
        }
        return packets.size();
    }

    /// What the model says can be seen of a packet and its answer.
    static Set<RealTown.Sighting> possible(Ruleset rules, Packet packet) {
        PacketPath model = new PacketPath(Town.NODE, rules);
        Set<RealTown.Sighting> possible = new HashSet<>();
        Paths paths = model.follow(packet, Town.entry(packet.source().toString()), Memory.blank());
        assertThat(paths.isTrustworthy()).as("trust in %s", paths).isTrue();
        for (Path path : paths.paths()) {
            switch (path.fate()) {
                case Fate.Received(var arrived) ->
                        possible.addAll(answers(model, path, packet, arrived, new Entry.Sent()));
                case Fate.Left(String device, var arrived) -> {
                    if (arrived.source().equals(arrived.destination())) {
                        // A neighbour drops what claims to come from itself.
                        possible.add(new RealTown.Sighting("dropped", false));
                    } else {
                        possible.addAll(
                                answers(model, path, packet, arrived, Entry.Arriving.by(device)));
                    }
                }
                case Fate.Dropped _ -> possible.add(new RealTown.Sighting("dropped", false));
                case Fate.Rejected _ -> {
                    possible.add(new RealTown.Sighting("rejected PORT_UNREACHABLE", false));
                    if (mayLoseRefusals(rules, packet)) {
                        possible.add(new RealTown.Sighting("dropped", false));
                    }
                }
            }
        }
        return possible;
    }

    /// A refusal is a packet of the node, which its own rules may drop; it is not modelled.
    private static boolean mayLoseRefusals(Ruleset rules, Packet packet) {
        return packet.source().toString().equals(Town.HOST)
                || rules.tables().stream()
                        .flatMap(table -> table.chains().values().stream())
                        .anyMatch(
                                chain ->
                                        !chain.rules().isEmpty()
                                                && chain.attachment()
                                                        instanceof
                                                        Chain.Attachment.Hooked(
                                                                var type,
                                                                var hook,
                                                                _,
                                                                _)
                                                && type == Chain.Type.FILTER
                                                && (hook == Hook.OUTPUT
                                                        || hook == Hook.POSTROUTING));
    }

    /// The answer is a packet too.
    private static Set<RealTown.Sighting> answers(
            PacketPath model, Path path, Packet sent, Packet arrived, Entry entry) {
        String end =
                arrived.source() + ">" + arrived.destination() + ":" + arrived.destinationPort();
        Set<RealTown.Sighting> sightings = new HashSet<>();
        for (Path back : model.follow(arrived.answer(), entry, path.memory()).paths()) {
            Packet answer =
                    switch (back.fate()) {
                        case Fate.Received(var packet) -> packet;
                        case Fate.Left(_, var packet) -> packet;
                        case Fate.Dropped _, Fate.Rejected _ -> arrived;
                    };
            sightings.add(new RealTown.Sighting(end, answer.equals(sent.answer())));
        }
        return sightings;
    }
}
