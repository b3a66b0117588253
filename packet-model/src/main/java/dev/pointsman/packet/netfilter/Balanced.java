package dev.pointsman.packet.netfilter;

/// What IPVS has done to the packet at hand; it looks at none twice (`ipvs_property`).
sealed interface Balanced {
    record Not() implements Balanced {}

    /// It goes to a real server.
    record Request(ServerConnection connection) implements Balanced {}

    /// It comes from the virtual server now.
    record Answer(ServerConnection connection) implements Balanced {}
}
