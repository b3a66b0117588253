package dev.pointsman.packet.netfilter;

import dev.pointsman.packet.netfilter.VirtualServer.Traffic;

/// An entry of the table of connections that IPVS keeps beside conntrack.
///
/// @param server what the virtual server takes
/// @param request as IPVS saw it
/// @param forwarded the same packet on its way to the real server
/// @param until when it is forgotten, on the clock of [Memory]
public record ServerConnection(Traffic server, Packet request, Packet forwarded, long until) {

    static ServerConnection begunBy(Traffic server, Packet request, Packet forwarded, long now) {
        return new ServerConnection(server, request, forwarded, now).seen(now);
    }

    /// How it is kept, a packet having come by at `now` (ip_vs_proto_*.c, the defaults of
    /// established connections).
    ServerConnection seen(long now) {
        long seconds = request.transport().protocol() == Transport.UDP ? 300 : 900;
        return new ServerConnection(server, request, forwarded, now + seconds * 1000);
    }
}
