package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import java.util.List;

/// A virtual server of IPVS (ipvsadm(8)).
///
/// @param servers in the order in which they were added
/// @param unread what the model does not have of it: packets that it takes have no trustworthy path
/// @param line where it was read
public record VirtualServer(
        Traffic traffic,
        Scheduler scheduler,
        Persistence persistence,
        List<RealServer> servers,
        List<String> unread,
        int line) {

    /// What it takes.
    public sealed interface Traffic {
        Family family();

        /// What is sent to an address and port.
        ///
        /// @param protocol the IANA number
        /// @param port 0 for all that no other virtual server has
        record To(int protocol, IpAddress address, int port) implements Traffic {
            @Override
            public Family family() {
                return address.family();
            }
        }

        /// What carries a mark.
        record Marked(int mark, Family family) implements Traffic {}
    }

    /// For how long a client keeps its real server.
    ///
    /// @param seconds since its last new connection; 0 for not at all
    /// @param netmask length of the prefix of a client's address that tells it from others
    public record Persistence(int seconds, int netmask) {
        boolean isOn() {
            return seconds > 0;
        }

        IpAddress client(IpAddress address) {
            return new Cidr(address, netmask).base();
        }
    }

    /// Where it sends packets.
    ///
    /// @param port 0 for the one that the packet has
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
        unread = List.copyOf(unread);
    }
}
