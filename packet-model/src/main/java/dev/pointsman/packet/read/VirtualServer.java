package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import java.util.List;

/// A virtual server of IPVS (ipvsadm(8)).
///
/// @param scheduler such as `rr`
/// @param persistence for how many seconds a client keeps its server; 0 for not at all
/// @param netmask length of the prefix of a client's address that persistence goes by
/// @param line where it was read
public record VirtualServer(
        Traffic traffic,
        String scheduler,
        int persistence,
        int netmask,
        List<RealServer> servers,
        int line) {

    /// What it takes.
    public sealed interface Traffic {
        Family family();

        /// What is sent to an address and port.
        ///
        /// @param protocol the IANA number
        record To(int protocol, IpAddress address, int port) implements Traffic {
            @Override
            public Family family() {
                return address.family();
            }
        }

        /// What carries a mark.
        record Marked(int mark, Family family) implements Traffic {}
    }

    /// Where it sends packets.
    ///
    /// @param weight 0 for one that gets no new connections
    public record RealServer(
            IpAddress address, int port, Forwarding forwarding, int weight, int line) {}

    /// How packets get to a real server.
    public enum Forwarding {
        /// By translation.
        MASQUERADING,
        /// With their own destination.
        DIRECT_ROUTING,
        TUNNELLING
    }

    public VirtualServer {
        servers = List.copyOf(servers);
    }
}
