package dev.pointsman.netlink;

/// Numbers of ctnetlink, the conntrack part of nfnetlink: `linux/netfilter/nfnetlink.h` and
/// `linux/netfilter/nfnetlink_conntrack.h`, and of the filter flags `net/netfilter/nf_internals.h`
/// of Linux 5.8.
final class Ctnetlink {
    /// `NFNL_SUBSYS_CTNETLINK` and a message of `enum cntl_msg_types`.
    static final int GET = 0x101;

    static final int DELETE = 0x102;
    static final int GET_STATISTICS = 0x105;

    /// `enum ctattr_type`.
    static final int TUPLE_ORIGINAL = 1;

    static final int TUPLE_REPLY = 2;
    static final int ID = 12;
    static final int ZONE = 18;
    static final int FILTER = 25;

    /// `enum ctattr_tuple`.
    static final int TUPLE_IP = 1;

    static final int TUPLE_PROTOCOL = 2;
    static final int TUPLE_ZONE = 3;

    /// `enum ctattr_ip`.
    static final int IPV4_SOURCE = 1;

    static final int IPV4_DESTINATION = 2;
    static final int IPV6_SOURCE = 3;
    static final int IPV6_DESTINATION = 4;

    /// `enum ctattr_l4proto`.
    static final int PROTOCOL_NUMBER = 1;

    static final int SOURCE_PORT = 2;
    static final int DESTINATION_PORT = 3;

    /// `enum ctattr_filter`, both in the machine's byte order.
    static final int FILTER_ORIGINAL = 1;

    static final int FILTER_REPLY = 2;

    /// `CTA_FILTER_F_CTA_PROTO_NUM`: entries of the protocol that is given.
    static final int BY_PROTOCOL = 1 << 3;

    /// `enum ctattr_stats_global`.
    static final int STATISTICS_ENTRIES = 1;

    static final int UDP = 17;

    private Ctnetlink() {}
}
