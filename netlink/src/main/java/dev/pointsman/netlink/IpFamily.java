package dev.pointsman.netlink;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/// A version of IP, numbered as `AF_INET` and `AF_INET6`, which `NFPROTO_*` repeats.
public enum IpFamily {
    IPV4(2, 32),
    IPV6(10, 128);

    private final int number;
    private final int bits;

    IpFamily(int number, int bits) {
        this.number = number;
        this.bits = bits;
    }

    public static IpFamily of(InetAddress address) {
        return address instanceof Inet4Address ? IPV4 : IPV6;
    }

    int number() {
        return number;
    }

    /// The length of an address, which is the longest prefix.
    int bits() {
        return bits;
    }

    /// The family of this number, as the kernel has it in field `what`.
    static IpFamily numbered(int number, String what) {
        for (IpFamily family : values()) {
            if (family.number == number) {
                return family;
            }
        }
        throw new NetlinkException("malformed netlink message: " + what + " of family " + number);
    }

    /// The address that begins a field, which may be longer than an address of this family.
    InetAddress address(byte[] field) {
        if (field.length < bits / 8) {
            throw new NetlinkException(
                    "malformed netlink message: an address of "
                            + this
                            + " in "
                            + field.length
                            + " bytes");
        }
        try {
            if (this == IPV6) {
                // InetAddress turns ::ffff:0:0/96 into addresses of the other family.
                return Inet6Address.getByAddress("", field, -1);
            }
            return InetAddress.getByAddress(new byte[] {field[0], field[1], field[2], field[3]});
        } catch (UnknownHostException e) {
            throw new NetlinkException(
                    "malformed netlink message: an address of " + field.length + " bytes", e);
        }
    }
}
