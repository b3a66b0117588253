package dev.pointsman.graph;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/// A numeric IP address, ordered IPv4 first and then by value.
///
/// Not `java.net.InetAddress`: that one carries a host name slot, is three times as large and can
/// look names up.
public sealed interface IpAddress extends Comparable<IpAddress> {

    /// 32 bits, most significant first.
    record Ipv4(int bits) implements IpAddress {
        @Override
        public Family family() {
            return Family.IPV4;
        }

        @Override
        public byte[] bytes() {
            return ByteBuffer.allocate(4).putInt(bits).array();
        }

        @Override
        public String toString() {
            return (bits >>> 24)
                    + "."
                    + (bits >>> 16 & 255)
                    + "."
                    + (bits >>> 8 & 255)
                    + "."
                    + (bits & 255);
        }
    }

    /// 128 bits, most significant first.
    record Ipv6(long high, long low) implements IpAddress {
        @Override
        public Family family() {
            return Family.IPV6;
        }

        @Override
        public byte[] bytes() {
            return ByteBuffer.allocate(16).putLong(high).putLong(low).array();
        }

        /// The shortest form, as RFC 5952 prescribes it.
        @Override
        public String toString() {
            int bestStart = -1;
            int bestLength = 1;
            for (int start = 0; start < 8; start++) {
                int end = start;
                while (end < 8 && group(end) == 0) {
                    end++;
                }
                if (end - start > bestLength) {
                    bestStart = start;
                    bestLength = end - start;
                }
            }
            StringBuilder text = new StringBuilder(39);
            for (int i = 0; i < 8; i++) {
                if (i == bestStart) {
                    text.append("::");
                    i += bestLength - 1;
                    continue;
                }
                if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                    text.append(':');
                }
                text.append(Integer.toHexString(group(i)));
            }
            return text.toString();
        }

        private int group(int index) {
            long half = index < 4 ? high : low;
            return (int) (half >>> 48 - index % 4 * 16) & 0xffff;
        }
    }

    Family family();

    /// The address in network byte order, 4 or 16 bytes.
    byte[] bytes();

    /// Reads a literal address. Leading zeros in IPv4 are decimal, as Kubernetes' legacy parser
    /// takes them; an IPv4-mapped IPv6 address is the IPv4 address it maps. No name is ever looked
    /// up.
    ///
    /// @throws IllegalArgumentException when `text` is no address; the message quotes it
    static IpAddress parse(String text) {
        if (text.indexOf(':') < 0) {
            return parseIpv4(text);
        }
        // The JDK takes both for part of a literal.
        if (text.indexOf('%') >= 0 || text.indexOf('[') >= 0) {
            throw notAnAddress(text);
        }
        try {
            return of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException e) {
            throw notAnAddress(text);
        }
    }

    /// The same address without the JDK's baggage.
    static IpAddress of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return address instanceof Inet4Address
                ? new Ipv4(bytes.getInt())
                : new Ipv6(bytes.getLong(), bytes.getLong());
    }

    /// Reads 4 or 16 bytes in network order.
    ///
    /// @throws IllegalArgumentException for any other length
    static IpAddress of(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return switch (bytes.length) {
            case 4 -> new Ipv4(buffer.getInt());
            case 16 -> new Ipv6(buffer.getLong(), buffer.getLong());
            default ->
                    throw new IllegalArgumentException(bytes.length + " bytes are no IP address");
        };
    }

    private static IpAddress parseIpv4(String text) {
        int bits = 0;
        int octet = -1;
        int dots = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' && octet >= 0) {
                bits = bits << 8 | octet;
                octet = -1;
                dots++;
            } else if (c >= '0' && c <= '9') {
                octet = (octet < 0 ? 0 : octet * 10) + (c - '0');
                if (octet > 255) {
                    throw notAnAddress(text);
                }
            } else {
                throw notAnAddress(text);
            }
        }
        if (dots != 3 || octet < 0) {
            throw notAnAddress(text);
        }
        return new Ipv4(bits << 8 | octet);
    }

    private static IllegalArgumentException notAnAddress(String text) {
        String shown = text.length() > 64 ? text.substring(0, 64) + "…" : text;
        return new IllegalArgumentException("\"" + shown + "\" is no IP address");
    }

    @Override
    default int compareTo(IpAddress other) {
        return switch (this) {
            case Ipv4(int bits) ->
                    other instanceof Ipv4(int otherBits)
                            ? Integer.compareUnsigned(bits, otherBits)
                            : -1;
            case Ipv6(long high, long low) -> {
                if (!(other instanceof Ipv6(long otherHigh, long otherLow))) {
                    yield 1;
                }
                int order = Long.compareUnsigned(high, otherHigh);
                yield order != 0 ? order : Long.compareUnsigned(low, otherLow);
            }
        };
    }
}
