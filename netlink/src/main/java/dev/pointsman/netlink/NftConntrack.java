package dev.pointsman.netlink;

/// Bits of `ct state` and `ct status` in nf_tables (`NF_CT_STATE_BIT` in the kernel's
/// `net/netfilter/nf_conntrack_core.h`, `IPS_*` in `linux/netfilter/nf_conntrack_common.h`).
public final class NftConntrack {
    public static final int STATE_INVALID = 1;
    public static final int STATE_ESTABLISHED = 2;
    public static final int STATE_RELATED = 4;
    public static final int STATE_NEW = 8;

    /// The source was or will be rewritten.
    public static final int STATUS_SNAT = 16;

    /// The destination was or will be rewritten.
    public static final int STATUS_DNAT = 32;

    private NftConntrack() {}
}
