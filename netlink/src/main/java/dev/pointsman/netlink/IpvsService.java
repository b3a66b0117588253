package dev.pointsman.netlink;

import java.net.Inet6Address;
import java.net.InetAddress;

/// A virtual server: what packets are sent to, and how IPVS chooses a real server for them.
///
/// @param scheduler such as `rr`; the kernel loads its module
/// @param flags [#PERSISTENT], [#ONE_PACKET], [#SCHEDULER_1], [#SCHEDULER_2], [#SCHEDULER_3]
/// @param timeout for how many seconds a client stays with its real server, of a [#PERSISTENT] one
/// @param netmask which clients stay together: a mask such as 0xffffff00 for IPv4, the length of a
///   prefix for IPv6
public record IpvsService(Key key, String scheduler, int flags, int timeout, int netmask) {
    /// `IP_VS_SVC_F_PERSISTENT`: a client stays with its real server.
    public static final int PERSISTENT = 0x1;

    /// `IP_VS_SVC_F_ONEPACKET`: every packet is a connection.
    public static final int ONE_PACKET = 0x4;

    /// `IP_VS_SVC_F_SCHED1`, of `sh` and `mh` the fallback.
    public static final int SCHEDULER_1 = 0x8;

    /// `IP_VS_SVC_F_SCHED2`, of `sh` and `mh` that the client's port counts.
    public static final int SCHEDULER_2 = 0x10;

    /// `IP_VS_SVC_F_SCHED3`.
    public static final int SCHEDULER_3 = 0x20;

    /// `IP_VS_SVC_F_HASHED`, which the kernel sets for itself.
    private static final int HASHED = 0x2;

    /// `IP_VS_SCHEDNAME_MAXLEN` counts the closing zero.
    private static final int LONGEST_SCHEDULER = 15;

    public IpvsService {
        Names.check("scheduler", scheduler, LONGEST_SCHEDULER);
        if (timeout < 0) {
            throw new IllegalArgumentException("a timeout of " + timeout + " seconds");
        }
        // Or what was written would differ from what is listed.
        flags &= ~HASHED;
    }

    /// A virtual server that remembers no clients.
    public static IpvsService of(Key key, String scheduler, int flags) {
        return new IpvsService(key, scheduler, flags, 0, wholeAddress(key.family()));
    }

    /// A virtual server whose clients stay for a time with the real server they got.
    public static IpvsService persistent(Key key, String scheduler, int flags, int timeout) {
        return new IpvsService(
                key, scheduler, flags | PERSISTENT, timeout, wholeAddress(key.family()));
    }

    /// The netmask that keeps every client apart.
    public static int wholeAddress(IpFamily family) {
        return switch (family) {
            case IPV4 -> 0xffffffff;
            case IPV6 -> 128;
        };
    }

    /// What packets are sent to.
    public sealed interface Key {
        IpFamily family();

        /// As in `tcp 10.96.0.1:443`.
        String text();

        /// Packets to a port of an address.
        ///
        /// @param protocol `IPPROTO_*`: 6 TCP, 17 UDP, 132 SCTP
        record Endpoint(int protocol, InetAddress address, int port) implements Key {
            public Endpoint {
                if (protocol < 0 || protocol > 255) {
                    throw new IllegalArgumentException("protocol " + protocol);
                }
                checkPort(port);
            }

            @Override
            public IpFamily family() {
                return IpFamily.of(address);
            }

            @Override
            public String text() {
                return protocolName(protocol) + " " + socketText(address, port);
            }
        }

        /// Packets that a firewall has marked.
        record Mark(int mark, IpFamily family) implements Key {
            public Mark {
                if (mark == 0) {
                    throw new IllegalArgumentException("mark 0 is that of unmarked packets");
                }
            }

            @Override
            public String text() {
                return "mark 0x" + Integer.toHexString(mark) + " of " + family;
            }
        }
    }

    static void checkPort(int port) {
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port " + port);
        }
    }

    static String protocolName(int protocol) {
        return switch (protocol) {
            case 6 -> "tcp";
            case 17 -> "udp";
            case 132 -> "sctp";
            default -> Integer.toString(protocol);
        };
    }

    static String socketText(InetAddress address, int port) {
        return address instanceof Inet6Address
                ? "[" + address.getHostAddress() + "]:" + port
                : address.getHostAddress() + ":" + port;
    }
}
