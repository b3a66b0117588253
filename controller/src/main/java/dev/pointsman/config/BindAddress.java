package dev.pointsman.config;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;

/// Where a server of this process listens, if it does.
public sealed interface BindAddress {

    /// There is no such server.
    record Nowhere() implements BindAddress {}

    /// One address, or all of its family; all addresses of IPv6 are those of IPv4 too.
    ///
    /// @param port 0 for any that is free
    record At(IpAddress address, int port) implements BindAddress {
        @Override
        public String toString() {
            return (address.family() == Family.IPV4 ? address.toString() : "[" + address + "]")
                    + ":"
                    + port;
        }
    }

    /// Reads an address with a port, or one that gets `port`.
    ///
    /// @throws IllegalArgumentException when `text` is neither; the message quotes it
    static At parse(String text, int port) {
        int colon = text.lastIndexOf(':');
        boolean bracketed = text.startsWith("[");
        boolean portGiven =
                bracketed ? text.contains("]:") : colon >= 0 && text.indexOf(':') == colon;
        String host = portGiven ? text.substring(0, colon) : text;
        if (bracketed && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        return new At(
                IpAddress.parse(host), portGiven ? port(text, text.substring(colon + 1)) : port);
    }

    private static int port(String text, String digits) {
        int port = digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : 0;
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException(
                    "the port of \"" + text + "\" is not within 1..65535");
        }
        return port;
    }
}
