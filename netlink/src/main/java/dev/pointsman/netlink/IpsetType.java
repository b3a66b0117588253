package dev.pointsman.netlink;

import java.util.Optional;

/// What a set holds.
public enum IpsetType {
    /// Addresses.
    HASH_IP("hash:ip", 4),
    /// Addresses with protocol and port.
    HASH_IP_PORT("hash:ip,port", 5),
    /// Addresses with protocol and port, and a second address.
    HASH_IP_PORT_IP("hash:ip,port,ip", 5),
    /// Addresses with protocol and port, and a network.
    HASH_IP_PORT_NET("hash:ip,port,net", 7),
    /// Networks with protocol and port.
    HASH_NET_PORT("hash:net,port", 7),
    /// Pairs of networks.
    HASH_NET_NET("hash:net,net", 2),
    /// Ports.
    BITMAP_PORT("bitmap:port", 3);

    private final String kernelName;
    private final int newestRevision;

    IpsetType(String kernelName, int newestRevision) {
        this.kernelName = kernelName;
        this.newestRevision = newestRevision;
    }

    /// As in `hash:ip,port`.
    public String kernelName() {
        return kernelName;
    }

    /// Later ones add options that are not used here, and an `ipset` from before could not list a
    /// set that has one. These are of Linux 3.18.
    int newestRevision() {
        return newestRevision;
    }

    static Optional<IpsetType> named(String kernelName) {
        for (IpsetType type : values()) {
            if (type.kernelName.equals(kernelName)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
