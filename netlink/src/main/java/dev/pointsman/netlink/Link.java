package dev.pointsman.netlink;

/// A network interface.
///
/// @param index unique in its namespace
/// @param flags `IFF_*` of `linux/if.h`
public record Link(int index, String name, int flags) {
    /// `IFF_UP`.
    static final int UP = 0x1;

    /// Whether the interface is switched on.
    public boolean isUp() {
        return (flags & UP) != 0;
    }
}
