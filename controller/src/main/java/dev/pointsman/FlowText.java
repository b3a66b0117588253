package dev.pointsman;

import dev.pointsman.graph.Protocol;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.read.ConntrackReader.Listed;

/// A conntrack entry in words.
final class FlowText {
    private FlowText() {}

    /// Who sends to whom, and who answers whom.
    static String of(Listed listed) {
        Packet original = listed.connection().original();
        Packet reply = listed.connection().reply();
        String protocol =
                Protocol.of(original.transport().protocol()).map(Protocol::keyword).orElse("");
        return protocol
                + " "
                + Socket.spelt(original.source(), original.sourcePort())
                + " -> "
                + Socket.spelt(original.destination(), original.destinationPort())
                + ", answered by "
                + Socket.spelt(reply.source(), reply.sourcePort())
                + (reply.destination().equals(original.source())
                        ? ""
                        : " to " + Socket.spelt(reply.destination(), reply.destinationPort()))
                + (listed.state().isEmpty() ? "" : " (" + listed.state() + ")");
    }
}
