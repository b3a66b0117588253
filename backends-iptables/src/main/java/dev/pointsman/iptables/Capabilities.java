package dev.pointsman.iptables;

/// What the kernel and its tool can do, as far as the rules depend on it.
///
/// @param invalid what becomes of packets that conntrack calls invalid
public record Capabilities(RandomFully randomFully, InvalidPackets invalid) {

    /// `MASQUERADE --random-fully`, without which two flows may take one source port.
    public enum RandomFully {
        AVAILABLE,
        MISSING
    }

    /// Late packets of a flow, which would reset the client if they left the node untranslated.
    public enum InvalidPackets {
        DROPPED,
        /// `nf_conntrack_tcp_be_liberal` is on: conntrack calls none of them invalid.
        LEFT_ALONE
    }

    /// What every node of this decade has, for rules that are rendered without a kernel.
    public static final Capabilities USUAL =
            new Capabilities(RandomFully.AVAILABLE, InvalidPackets.DROPPED);
}
