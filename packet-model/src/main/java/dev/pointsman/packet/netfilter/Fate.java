package dev.pointsman.packet.netfilter;

/// How a packet's way ends.
public sealed interface Fate {
    /// A process of this node gets it, if one listens.
    record Received(Packet packet) implements Fate {}

    /// It leaves by `device`, for a pod of this node or for somewhere else.
    record Left(String device, Packet packet) implements Fate {}

    /// A rule, a policy or routing did away with it.
    record Dropped(Cause cause) implements Fate {}

    record Rejected(Verdict.Refusal refusal) implements Fate {}

    /// What drops a packet.
    enum Cause {
        RULE,
        POLICY,
        /// An address that cannot be on the interface it came in by: loopback from outside.
        MARTIAN,
        NO_ROUTE,
        /// It is for another machine and this one is no router.
        FORWARDING_OFF,
        /// No address to masquerade with.
        NO_ADDRESS,
        /// IPVS cannot send it on: its real server is gone, or only this node could be reached from
        /// where it comes from.
        NOT_BALANCED
    }
}
