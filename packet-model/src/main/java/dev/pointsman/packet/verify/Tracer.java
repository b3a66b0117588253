package dev.pointsman.packet.verify;

import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Outcome;
import dev.pointsman.packet.netfilter.Fate;
import dev.pointsman.packet.netfilter.Memory;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.netfilter.PacketPath;
import dev.pointsman.packet.netfilter.Path;
import dev.pointsman.packet.netfilter.Paths;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Transport;

/// Sends first packets of flows through rules.
public final class Tracer {
    /// Any that no rule names will do.
    public static final int SOURCE_PORT = 40_000;

    private final AssumedNode node;
    private final PacketPath path;

    public Tracer(AssumedNode node, Ruleset rules) {
        this.node = node.bearing(rules.ipvs().addresses());
        this.path = new PacketPath(this.node.node(), rules);
    }

    /// All ways of `flow` on a node that remembers `memory`.
    public Paths follow(Flow flow, Memory memory) {
        return follow(flow, SOURCE_PORT, memory);
    }

    /// As above, from a certain port.
    public Paths follow(Flow flow, int sourcePort, Memory memory) {
        return path.follow(
                new Packet(
                        flow.source(),
                        flow.destination(),
                        new Transport.Ported(flow.protocol().number(), sourcePort, flow.port())),
                node.entry(flow),
                memory);
    }

    /// What both ends of `flow` get to see when it takes `path`.
    public Ending ending(Path path, Flow flow) {
        return switch (path.fate()) {
            case Fate.Received(var packet) -> delivered(path, packet, flow);
            case Fate.Left(_, var packet) -> delivered(path, packet, flow);
            case Fate.Dropped _ -> new Ending.Of(new Outcome.Dropped());
            case Fate.Rejected _ -> new Ending.Of(new Outcome.Rejected());
        };
    }

    private Ending delivered(Path path, Packet packet, Flow flow) {
        if (path.isUntouched()) {
            return new Ending.Of(new Outcome.Untouched());
        }
        boolean ofNode = node.node().owns(packet.source());
        boolean kept = packet.source().equals(flow.source()) && flow.origin() != Flow.Origin.HOST;
        Outcome outcome =
                new Outcome.Delivered(
                        packet.destination(),
                        packet.destinationPort(),
                        kept ? Outcome.Source.KEPT : Outcome.Source.NODE);
        return path.reply() == Path.Reply.LOST || !kept && !ofNode
                ? new Ending.Unanswered(outcome)
                : new Ending.Of(outcome);
    }
}
