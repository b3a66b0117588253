package dev.pointsman.packet.read;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Value;
import java.util.Locale;

/// A data type of nft (nft(8), DATA TYPES).
enum NftType {
    IPV4_ADDR,
    IPV6_ADDR,
    INET_PROTO,
    INET_SERVICE,
    INTERFACE,
    MARK,
    INTEGER,
    FAMILY,
    /// Ether types, as far as IP has them; what they stand for is compared with the family.
    ETHER_TYPE,
    PACKET_TYPE,
    CT_STATE,
    CT_STATUS,
    CT_DIRECTION,
    TCP_FLAGS,
    ICMP_TYPE,
    ICMPV6_TYPE,
    FIB_ADDRTYPE;

    /// The type by the name that set declarations use.
    static NftType named(String name) {
        return switch (name) {
            case "ipv4_addr" -> IPV4_ADDR;
            case "ipv6_addr" -> IPV6_ADDR;
            case "inet_proto" -> INET_PROTO;
            case "inet_service" -> INET_SERVICE;
            case "ifname", "iface_index" -> INTERFACE;
            case "mark" -> MARK;
            case "integer" -> INTEGER;
            case "nf_proto" -> FAMILY;
            case "ether_type" -> ETHER_TYPE;
            case "pkt_type" -> PACKET_TYPE;
            case "ct_state" -> CT_STATE;
            case "ct_status" -> CT_STATUS;
            case "ct_dir" -> CT_DIRECTION;
            case "tcp_flag" -> TCP_FLAGS;
            case "icmp_type" -> ICMP_TYPE;
            case "icmpv6_type" -> ICMPV6_TYPE;
            case "fib_addrtype" -> FIB_ADDRTYPE;
            default -> throw new NotUnderstood("type " + name);
        };
    }

    static NftType address(Family family) {
        return switch (family) {
            case IPV4 -> IPV4_ADDR;
            case IPV6 -> IPV6_ADDR;
        };
    }

    /// Whether a plain comparison asks for any of the bits (nft's bitmask types).
    boolean isBitmask() {
        return switch (this) {
            case CT_STATE, CT_STATUS, TCP_FLAGS -> true;
            case IPV4_ADDR,
                    IPV6_ADDR,
                    INET_PROTO,
                    INET_SERVICE,
                    INTERFACE,
                    MARK,
                    INTEGER,
                    FAMILY,
                    ETHER_TYPE,
                    PACKET_TYPE,
                    CT_DIRECTION,
                    ICMP_TYPE,
                    ICMPV6_TYPE,
                    FIB_ADDRTYPE ->
                    false;
        };
    }

    /// One constant, range or prefix.
    Range range(Token token) {
        return switch (this) {
            case IPV4_ADDR, IPV6_ADDR -> addresses(token.text());
            case INTERFACE -> names(token);
            case INET_PROTO,
                    INET_SERVICE,
                    MARK,
                    INTEGER,
                    FAMILY,
                    ETHER_TYPE,
                    PACKET_TYPE,
                    CT_STATE,
                    CT_STATUS,
                    CT_DIRECTION,
                    TCP_FLAGS,
                    ICMP_TYPE,
                    ICMPV6_TYPE,
                    FIB_ADDRTYPE ->
                    numbers(token.text());
        };
    }

    /// One constant.
    Value value(Token token) {
        Range range = range(token);
        if (!range.isSingle()) {
            throw new NotUnderstood(token.shown());
        }
        return range.low();
    }

    private Range addresses(String text) {
        try {
            int dash = text.indexOf('-');
            if (dash >= 0) {
                return new Range(
                        address(text.substring(0, dash)), address(text.substring(dash + 1)));
            }
            if (text.indexOf('/') < 0) {
                return Range.of(address(text));
            }
            Cidr range = Cidr.parse(text);
            if (address(range.family()) != this) {
                throw new NotUnderstood(text);
            }
            return Range.of(range);
        } catch (IllegalArgumentException _) {
            throw new NotUnderstood("address " + text);
        }
    }

    private Value address(String text) {
        IpAddress address = IpAddress.parse(text);
        if (address(address.family()) != this) {
            throw new NotUnderstood(text);
        }
        return Value.of(address);
    }

    private static Range names(Token token) {
        String text = token.text();
        // What nft prints of an interface that is gone.
        if (token.kind() == Token.Kind.WORD && text.chars().allMatch(Character::isDigit)) {
            throw new NotUnderstood("interface number " + text);
        }
        // nft 1.0.6 lists a wildcard in a set as ""-"": nobody can tell what it was.
        if (text.isEmpty()) {
            throw new NotUnderstood("an empty interface name");
        }
        if (text.endsWith("*") && !text.endsWith("\\*")) {
            return Range.startingWith(text.substring(0, text.length() - 1));
        }
        return Range.of(new Value.Name(text.replace("\\*", "*")));
    }

    private Range numbers(String text) {
        Long symbol = NftSymbols.of(this).get(text);
        if (symbol != null) {
            return Range.of(Value.of(symbol));
        }
        try {
            int slash = text.indexOf('/');
            if (this == MARK && slash > 0) {
                return marks(
                        number(text.substring(0, slash)),
                        Integer.parseInt(text.substring(slash + 1)));
            }
            int dash = text.indexOf('-', 1);
            return dash < 0
                    ? Range.of(Value.of(number(text)))
                    : new Range(
                            Value.of(number(text.substring(0, dash))),
                            Value.of(number(text.substring(dash + 1))));
        } catch (IllegalArgumentException _) {
            throw new NotUnderstood(name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + text);
        }
    }

    /// nft prints bits that are a prefix, as in `meta mark & 0x80000000 != 0`, as one: `meta mark
    /// != 0x00000000/1`.
    private static Range marks(long first, int length) {
        if (length < 1 || length > 32) {
            throw new IllegalArgumentException("a prefix of " + length + " bits");
        }
        return new Range(Value.of(first), Value.of(first | 0xffff_ffffL >>> length));
    }

    private long number(String text) {
        long number =
                text.startsWith("0x")
                        ? Long.parseLong(text, 2, text.length(), 16)
                        : Long.parseLong(text);
        if (number < 0 || number > largest()) {
            throw new NotUnderstood(text + " as " + this);
        }
        return number;
    }

    private long largest() {
        return switch (this) {
            case INET_SERVICE, ETHER_TYPE -> 0xffff;
            case INET_PROTO, FAMILY, PACKET_TYPE, CT_DIRECTION, TCP_FLAGS, ICMP_TYPE, ICMPV6_TYPE ->
                    0xff;
            case IPV4_ADDR,
                    IPV6_ADDR,
                    INTERFACE,
                    MARK,
                    INTEGER,
                    CT_STATE,
                    CT_STATUS,
                    FIB_ADDRTYPE ->
                    0xffff_ffffL;
        };
    }
}
