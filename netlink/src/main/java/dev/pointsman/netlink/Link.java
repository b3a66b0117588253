package dev.pointsman.netlink;

/// A network interface.
///
/// @param index unique in its namespace
/// @param flags `IFF_*` of `linux/if.h`
/// @param kind as in `dummy` or `veth`, empty for hardware and the loopback interface
public record Link(int index, String name, int flags, String kind) {
    /// `IFNAMSIZ` counts the closing zero.
    static final int LONGEST_NAME = 15;

    /// `IFF_UP`.
    static final int UP = 0x1;

    /// Whether the interface is switched on.
    public boolean isUp() {
        return (flags & UP) != 0;
    }
}
