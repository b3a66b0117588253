package dev.pointsman.netlink;

/// Numbers of the netfilter hooks that base chains are called from (`enum nf_inet_hooks`).
public final class NftHook {
    public static final int PREROUTING = 0;
    public static final int INPUT = 1;
    public static final int FORWARD = 2;
    public static final int OUTPUT = 3;
    public static final int POSTROUTING = 4;

    private NftHook() {}
}
