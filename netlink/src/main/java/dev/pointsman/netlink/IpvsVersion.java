package dev.pointsman.netlink;

/// What the kernel's IPVS is.
///
/// @param version three bytes, highest first: 1.2.1 is 0x010201
/// @param connectionTableSize how many rows the table of connections has
public record IpvsVersion(int version, int connectionTableSize) {
    /// Such as `1.2.1`.
    public String versionText() {
        return (version >> 16 & 0xff) + "." + (version >> 8 & 0xff) + "." + (version & 0xff);
    }
}
