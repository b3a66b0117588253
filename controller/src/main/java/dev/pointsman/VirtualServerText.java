package dev.pointsman;

import dev.pointsman.graph.Protocol;
import dev.pointsman.packet.netfilter.Hop.Choice;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.netfilter.VirtualServer;
import dev.pointsman.packet.netfilter.VirtualServer.RealServer;
import dev.pointsman.packet.netfilter.VirtualServer.Traffic;

/// Virtual servers of IPVS, and whom they choose, in the words of a trace.
final class VirtualServerText {
    private VirtualServerText() {}

    /// `virtual server 10.96.0.1:80/tcp rr`.
    static String of(VirtualServer server) {
        int seconds = server.persistence().seconds();
        return "virtual server "
                + of(server.traffic())
                + " "
                + server.scheduler()
                + (seconds == 0 ? "" : " persistent " + seconds);
    }

    static String of(Traffic traffic) {
        return switch (traffic) {
            case Traffic.To(int protocol, var address, int port) ->
                    Socket.spelt(address, port) + "/" + keyword(protocol);
            case Traffic.Marked(int mark, var family) ->
                    "mark " + String.format("0x%x", mark) + " of " + family.title();
        };
    }

    private static String keyword(int number) {
        for (Protocol protocol : Protocol.values()) {
            if (protocol.number() == number) {
                return protocol.keyword();
            }
        }
        return Integer.toString(number);
    }

    /// Why it is this real server.
    static String why(Choice choice) {
        return switch (choice) {
            case Choice.Scheduled(var server, _, int among) -> real(server) + ", 1 of " + among;
            case Choice.Kept(var server, _) -> real(server) + ", which the client keeps";
            case Choice.Nobody _ -> "no real server that may get it";
        };
    }

    private static String real(RealServer server) {
        return "real server of line " + server.line() + " (weight " + server.weight() + ")";
    }

    static String change(Choice choice, Packet packet) {
        return switch (choice) {
            case Choice.Scheduled(var server, int port, _) -> destination(packet, server, port);
            case Choice.Kept(var server, int port) -> destination(packet, server, port);
            case Choice.Nobody _ -> "reject with port unreachable";
        };
    }

    private static String destination(Packet packet, RealServer server, int port) {
        return "destination "
                + Socket.spelt(packet.destination(), packet.destinationPort())
                + " becomes "
                + Socket.spelt(server.address(), port);
    }
}
