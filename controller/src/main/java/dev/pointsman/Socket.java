package dev.pointsman;

import dev.pointsman.graph.IpAddress;
import java.util.OptionalInt;

/// An address with or without a port, as options have it: `10.0.0.1:80`, `[fd00::1]:80`, `fd00::1`.
record Socket(IpAddress address, OptionalInt port) {

    static Socket parse(String option, String text) {
        int bracket = text.lastIndexOf(']');
        int colon = text.lastIndexOf(':');
        if (text.startsWith("[") && bracket > 0) {
            return new Socket(
                    address(option, text.substring(1, bracket)),
                    colon > bracket
                            ? OptionalInt.of(port(option, text.substring(colon + 1)))
                            : OptionalInt.empty());
        }
        if (colon < 0 || text.indexOf(':') != colon) {
            return new Socket(address(option, text), OptionalInt.empty());
        }
        return new Socket(
                address(option, text.substring(0, colon)),
                OptionalInt.of(port(option, text.substring(colon + 1))));
    }

    static String spelt(IpAddress address, int port) {
        return switch (address.family()) {
            case IPV4 -> address + ":" + port;
            case IPV6 -> "[" + address + "]:" + port;
        };
    }

    static IpAddress address(String option, String text) {
        try {
            return IpAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw Complaint.ofInput(option + ": " + e.getMessage());
        }
    }

    static int port(String option, String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= 65535) {
                return port;
            }
        } catch (NumberFormatException e) {
            throw Complaint.ofInput(option + ": \"" + text + "\" is no port");
        }
        throw Complaint.ofInput(option + ": port " + text + " is not within 1..65535");
    }
}
