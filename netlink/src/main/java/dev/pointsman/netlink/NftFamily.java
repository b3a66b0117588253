package dev.pointsman.netlink;

/// The address family of an nf_tables table, numbered as `NFPROTO_*` in `linux/netfilter.h`.
public enum NftFamily {
    IPV4(2),
    IPV6(10),
    INET(1);

    private final int number;

    NftFamily(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
