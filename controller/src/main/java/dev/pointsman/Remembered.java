package dev.pointsman;

import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.conntrack.FlowAudit;
import dev.pointsman.packet.conntrack.FlowTable;
import dev.pointsman.packet.netfilter.Memory;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.netfilter.Transport;
import dev.pointsman.packet.read.ConntrackReader.Listed;
import dev.pointsman.packet.verify.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a node's connections have to say to the packet that is traced.
///
/// @param memory with the entry that the packet belongs to, and no other
/// @param lines for people; none without a file of connections
/// @param stale why the entry is one that must not decide; none where it may
record Remembered(Memory memory, List<String> lines, List<Reason> stale) {
    Remembered {
        lines = List.copyOf(lines);
        stale = List.copyOf(stale);
    }

    /// The packet is one of a new flow.
    private static Remembered nothing(String... lines) {
        return new Remembered(Memory.blank(), List.of(lines), List.of());
    }

    static Remembered of(
            FlowFile file, Sender sender, Flow flow, RuleGraph graph, Situation situation) {
        Optional<FlowTable> opened = file.open();
        if (opened.isEmpty()) {
            return nothing();
        }
        try (FlowTable table = opened.get()) {
            if (sender.port().isEmpty()) {
                return nothing(unknownPort(file, table, flow));
            }
            int port = sender.port().getAsInt();
            return table.find(packet(flow, port))
                    .map(
                            listed ->
                                    decided(
                                            file,
                                            listed,
                                            new FlowAudit(
                                                    graph, situation.node(), situation.services())))
                    .orElseGet(
                            () ->
                                    nothing(
                                            "no entry from "
                                                    + Socket.spelt(flow.source(), port)
                                                    + ": a new flow"));
        }
    }

    private static Packet packet(Flow flow, int port) {
        return new Packet(
                flow.source(),
                flow.destination(),
                new Transport.Ported(flow.protocol().number(), port, flow.port()));
    }

    private static Remembered decided(FlowFile file, Listed listed, FlowAudit audit) {
        String at = file.at(listed.line());
        return new Remembered(
                Memory.blank().with(listed.connection()),
                List.of(at + ": " + FlowText.of(listed)),
                audit.judge(listed).stream()
                        .map(
                                stale ->
                                        new Reason(
                                                Reason.Code.STALE_FLOW,
                                                stale.words() + "; " + stale.remedy(),
                                                "conntrack entry " + at))
                        .toList());
    }

    /// An entry is one sender port's, and so the packet of a sender without one is a new flow's.
    private static String unknownPort(FlowFile file, FlowTable table, Flow flow) {
        List<Listed> found = new ArrayList<>(1);
        long[] count = {0};
        table.forEach(
                flow.family(),
                listed -> {
                    Packet original = listed.connection().original();
                    if (original.equals(packet(flow, original.sourcePort()))) {
                        count[0]++;
                        if (found.isEmpty()) {
                            found.add(listed);
                        }
                    }
                });
        if (found.isEmpty()) {
            return "no entry of this sender to it: a new flow";
        }
        Listed first = found.getFirst();
        return "%,d entries of this sender to it; entries are found by the sender's port: --from %s follows that of %s"
                .formatted(
                        count[0],
                        Socket.spelt(flow.source(), first.connection().original().sourcePort()),
                        file.at(first.line()));
    }
}
