package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;

/// The headers of a packet, as far as rules and conntrack look at them; conntrack's tuple is one
/// too.
public record Packet(IpAddress source, IpAddress destination, Transport transport) {
    public Packet {
        if (source.family() != destination.family()) {
            throw new IllegalArgumentException(
                    "a packet from " + source + " to " + destination + " mixes families");
        }
    }

    public Family family() {
        return destination.family();
    }

    /// The one that answers it.
    public Packet answer() {
        return new Packet(/* source= */ destination, /* destination= */ source, transport.answer());
    }

    /// The port it goes to, 0 without ports.
    public int destinationPort() {
        return transport instanceof Transport.Ported ported ? ported.destination() : 0;
    }

    /// The port it comes from, 0 without ports.
    public int sourcePort() {
        return transport instanceof Transport.Ported ported ? ported.source() : 0;
    }

    Packet to(IpAddress address, int port) {
        return new Packet(
                source,
                address,
                transport instanceof Transport.Ported(int protocol, int from, _)
                        ? new Transport.Ported(protocol, from, port)
                        : transport);
    }

    Packet from(IpAddress address, int port) {
        return new Packet(
                address,
                destination,
                transport instanceof Transport.Ported(int protocol, _, int to)
                        ? new Transport.Ported(protocol, port, to)
                        : transport);
    }

    @Override
    public String toString() {
        return switch (transport) {
            case Transport.Ported(int protocol, int from, int to) ->
                    protocol + " " + source + " " + from + " -> " + destination + " " + to;
            case Transport.Icmp(int protocol, int type, int code) ->
                    protocol + "/" + type + "/" + code + " " + source + " -> " + destination;
            case Transport.Bare(int protocol) -> protocol + " " + source + " -> " + destination;
        };
    }
}
