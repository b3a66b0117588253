package dev.pointsman.netlink;

/// Numbers of nft's data types (`enum datatypes` of nftables' `datatype.h`).
///
/// The kernel keeps them with a set and never looks at them; nft prints elements by them.
public final class NftDatatype {
    /// `NFT_DATA_VERDICT` of `linux/netfilter/nf_tables.h`, the one the kernel does look at.
    public static final int VERDICT = 0xffffff00;

    public static final int INTEGER = 4;
    public static final int IPV4_ADDRESS = 7;
    public static final int IPV6_ADDRESS = 8;
    public static final int INET_PROTOCOL = 12;
    public static final int INET_SERVICE = 13;
    public static final int MARK = 19;
    public static final int INTERFACE_NAME = 41;

    private static final int BITS = 6;

    private NftDatatype() {}

    /// The number of a concatenation: its fields' numbers, 6 bits each, the first field highest.
    public static int concatenation(int... types) {
        int number = 0;
        for (int type : types) {
            number = number << BITS | type;
        }
        return number;
    }
}
