package dev.pointsman.packet;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import java.util.Locale;

/// A new connection, or a first datagram, as its sender sees it. The source port is any that was
/// not used before.
///
/// @param port where it goes to at `destination`
public record Flow(
        Origin origin, Protocol protocol, IpAddress source, IpAddress destination, int port) {

    /// Where the sender runs.
    public enum Origin {
        /// A pod of this node with an address of its own.
        POD,
        /// This node, or a pod that uses its network.
        HOST,
        /// Anything beyond the uplink, pods of other nodes included.
        OUTSIDE
    }

    public Flow {
        if (source.family() != destination.family()) {
            throw new IllegalArgumentException(
                    "a flow from " + source + " to " + destination + " mixes families");
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port " + port + " is not within 1..65535");
        }
    }

    public Family family() {
        return destination.family();
    }

    @Override
    public String toString() {
        return origin.name().toLowerCase(Locale.ROOT)
                + " "
                + source
                + " -> "
                + protocol.keyword()
                + " "
                + (family() == Family.IPV4 ? destination.toString() : "[" + destination + "]")
                + ":"
                + port;
    }
}
