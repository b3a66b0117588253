package dev.pointsman.graph;

/// An IP address family. Every graph, table and transaction belongs to exactly one.
public enum Family {
    IPV4("IPv4", 32),
    IPV6("IPv6", 128);

    private final String title;
    private final int bits;

    Family(String title, int bits) {
        this.title = title;
        this.bits = bits;
    }

    /// The name as Kubernetes writes it.
    public String title() {
        return title;
    }

    /// Length of an address in bits.
    public int bits() {
        return bits;
    }
}
