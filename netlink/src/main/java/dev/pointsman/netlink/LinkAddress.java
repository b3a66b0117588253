package dev.pointsman.netlink;

import java.net.Inet4Address;
import java.net.InetAddress;

/// An address of a network interface.
///
/// @param link index of the interface
/// @param scope `RT_SCOPE_*` of `linux/rtnetlink.h`: how far the address is good
public record LinkAddress(int link, InetAddress address, int prefixLength, int scope) {
    public static final int SCOPE_GLOBAL = 0;
    public static final int SCOPE_LINK = 253;
    public static final int SCOPE_HOST = 254;

    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;

    /// `AF_INET` or `AF_INET6`.
    int family() {
        return address instanceof Inet4Address ? AF_INET : AF_INET6;
    }

    String text() {
        return address.getHostAddress() + "/" + prefixLength;
    }
}
