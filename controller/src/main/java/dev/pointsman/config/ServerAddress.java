package dev.pointsman.config;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;

/// Where a server of this process answers.
public sealed interface ServerAddress {
    /// An address and a port.
    ///
    /// @param port 1..65535
    record At(IpAddress address, int port) implements ServerAddress {
        public At {
            if (port < 1 || port > 65535) {
                throw new IllegalArgumentException("port " + port + " is not within 1..65535");
            }
        }

        @Override
        public String toString() {
            return address.family() == Family.IPV6
                    ? "[" + address + "]:" + port
                    : address + ":" + port;
        }
    }

    /// There is none; only a flag can say so.
    record Off() implements ServerAddress {}

    /// Reads `address`, `address:port` or `[address]:port`.
    ///
    /// @param unnamed the port where there is none
    /// @throws IllegalArgumentException when `text` is something else; the message quotes it
    static At parse(String text, int unnamed) {
        int colon = text.lastIndexOf(':');
        boolean bracketed = text.startsWith("[");
        boolean bare = bracketed ? text.endsWith("]") : text.indexOf(':') != colon || colon < 0;
        String host = bare ? text : text.substring(0, colon);
        if (bracketed && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            return new At(
                    IpAddress.parse(host),
                    bare ? unnamed : Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no IP address with a port from 1 to 65535", e);
        }
    }
}
