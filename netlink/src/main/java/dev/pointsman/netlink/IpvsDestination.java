package dev.pointsman.netlink;

import java.net.InetAddress;

/// A real server of a virtual server.
///
/// @param weight its share of new connections; with 0 it keeps those it has and gets no more
/// @param upperThreshold connections from which on it gets no more, 0 for no bound
/// @param lowerThreshold connections below which it gets some again, 0 for three quarters of upper
public record IpvsDestination(
        Key key, int weight, Forwarding forwarding, int upperThreshold, int lowerThreshold) {
    public IpvsDestination {
        if (weight < 0) {
            throw new IllegalArgumentException("weight " + weight + " of " + key.text());
        }
    }

    /// A real server that gets packets by address translation, without bounds.
    public static IpvsDestination translated(InetAddress address, int port, int weight) {
        return new IpvsDestination(new Key(address, port), weight, Forwarding.MASQUERADE, 0, 0);
    }

    public IpvsDestination withWeight(int changed) {
        return new IpvsDestination(key, changed, forwarding, upperThreshold, lowerThreshold);
    }

    /// What makes a real server one among those of a virtual server.
    public record Key(InetAddress address, int port) {
        public Key {
            IpvsService.checkPort(port);
        }

        /// As in `10.0.0.1:8080`.
        public String text() {
            return IpvsService.socketText(address, port);
        }
    }

    /// How packets get to the real server, numbered as `IP_VS_CONN_F_*`.
    public enum Forwarding {
        /// Address translation.
        MASQUERADE(0),
        LOCAL(1),
        TUNNEL(2),
        ROUTE(3),
        BYPASS(4);

        private final int number;

        Forwarding(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }

        static Forwarding numbered(int number) {
            for (Forwarding forwarding : values()) {
                if (forwarding.number == number) {
                    return forwarding;
                }
            }
            throw new NetlinkException("malformed IPVS message: forwarding " + number);
        }
    }
}
