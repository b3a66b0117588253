package dev.pointsman.packet.conntrack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Connection;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.netfilter.Tracking.Direction;
import dev.pointsman.packet.netfilter.Transport;
import dev.pointsman.packet.read.ConntrackReader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class FlowTableLaws {
    /// So few addresses and ports that flows meet.
    private static final Map<Family, List<IpAddress>> ADDRESSES =
            Map.of(
                    Family.IPV4,
                    List.of(IpAddress.parse("10.0.0.1"), IpAddress.parse("255.255.255.254")),
                    Family.IPV6,
                    List.of(IpAddress.parse("fd00::1"), new IpAddress.Ipv6(0, 0xffff_0a00_0001L)));

    private static final List<Integer> PORTS = List.of(0, 53, 65535);

    @Property(tries = 200)
    void a_table_answers_as_maps_do(
            @ForAll("listings") List<String> lines, @ForAll("packets") Packet packet) {
        String text = String.join("\n", lines);
        Map<Packet, ConntrackReader.Listed> byOriginal = new HashMap<>();
        Map<Packet, ConntrackReader.Listed> byReply = new HashMap<>();
        for (ConntrackReader.Listed listed : ConntrackReader.read(text)) {
            byOriginal.put(listed.connection().original(), listed);
            byReply.put(listed.connection().reply(), listed);
        }
        try (FlowTable table = FlowTable.read(new StringReader(text), text.length())) {
            byOriginal.forEach((p, listed) -> assertThat(table.find(p)).contains(listed));
            if (!byOriginal.containsKey(packet)) {
                assertThat(table.find(packet).map(l -> l.connection().reply()))
                        .isEqualTo(Optional.ofNullable(byReply.get(packet)).map(_ -> packet));
            }
            List<ConntrackReader.Listed> all = new ArrayList<>();
            for (Family family : Family.values()) {
                table.forEach(family, all::add);
            }
            assertThat(all).containsExactlyInAnyOrderElementsOf(byOriginal.values());
            assertThat(table.size()).isEqualTo(byOriginal.size());
            assertThat(table.leftOut())
                    .isEqualTo(new FlowTable.LeftOut(0, 0, lines.size() - byOriginal.size()));
        }
    }

    @Provide
    Arbitrary<List<String>> listings() {
        return Arbitraries.of(Family.class)
                .flatMap(
                        family ->
                                Combinators.combine(
                                                packets(family),
                                                packets(family),
                                                Arbitraries.of(
                                                        "17 29 %s [UNREPLIED] %s mark=0",
                                                        "17 120 %s %s [ASSURED] mark=4294967295",
                                                        "6 9 TIME_WAIT %s %s [ASSURED] mark=1",
                                                        "6 ESTABLISHED %s %s [OFFLOAD] mark=0",
                                                        "132 2147483647 CLOSED %s %s mark=0"))
                                        .as(FlowTableLaws::line))
                .list()
                .ofMaxSize(12);
    }

    /// Half of all flows are not translated.
    private static String line(Packet original, Packet other, String form) {
        Packet reply = other.sourcePort() == 0 ? original.answer() : other;
        return "any " + form.formatted(tuple(original), tuple(reply));
    }

    private static String tuple(Packet packet) {
        return "src=%s dst=%s sport=%d dport=%d"
                .formatted(
                        packet.source(),
                        packet.destination(),
                        packet.sourcePort(),
                        packet.destinationPort());
    }

    @Provide
    Arbitrary<Packet> packets() {
        return Arbitraries.of(Family.class).flatMap(FlowTableLaws::packets);
    }

    private static Arbitrary<Packet> packets(Family family) {
        Arbitrary<IpAddress> addresses = Arbitraries.of(ADDRESSES.getOrDefault(family, List.of()));
        Arbitrary<Integer> ports = Arbitraries.of(PORTS);
        return Combinators.combine(
                        addresses,
                        addresses,
                        ports,
                        ports,
                        Arbitraries.of(Transport.TCP, Transport.UDP, Transport.SCTP))
                .as(
                        (from, to, out, in, protocol) ->
                                new Packet(from, to, new Transport.Ported(protocol, out, in)));
    }

    @Property(tries = 50)
    void nothing_of_an_entry_is_lost(@ForAll("listings") List<String> lines) {
        for (String line : lines) {
            ConntrackReader.Listed listed = ConntrackReader.read(line).getFirst();
            Connection connection = listed.connection();
            FlowBytes bytes = new FlowBytes(connection.original().family());
            for (Direction direction : Direction.values()) {
                Packet tuple =
                        switch (direction) {
                            case ORIGINAL -> connection.original();
                            case REPLY -> connection.reply();
                        };
                byte[] key = bytes.key(direction, tuple);
                byte[] value = bytes.value(direction, listed);
                assertThat(key).hasSize(bytes.keyLength());
                assertThat(value).hasSize(bytes.valueLength());
                assertThat(bytes.listed(key, value)).isEqualTo(listed);
            }
        }
    }
}
