package dev.pointsman.netlink;

/// What listing the UDP flows of one family came to.
///
/// @param entries how many there were, of all zones
public record ConntrackListing(long entries, Filter filter, Extent extent) {

    /// Who left out the other protocols.
    public enum Filter {
        /// The kernel (from Linux 5.8 on).
        KERNEL,
        /// This process: an older kernel lists everything, which takes longer.
        PROCESS
    }

    /// Whether all entries were among those listed.
    public enum Extent {
        WHOLE,
        /// The kernel's table changed under every attempt so that some may be missing.
        PARTIAL
    }
}
