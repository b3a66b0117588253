package dev.pointsman.nftables;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.netlink.NftExpression;
import dev.pointsman.netlink.NftTypeof;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// One thing about a packet that rules look at and that keys are made of.
sealed interface Field {

    /// A field of the packet, or of the connection it belongs to.
    enum Packet implements Field {
        DESTINATION,
        SOURCE,
        PROTOCOL,
        PORT,
        /// Where the connection was going before its destination was translated.
        ORIGINAL_DESTINATION,
        ORIGINAL_PORT
    }

    /// A random slot number from `offset` to `offset + modulus - 1`.
    record Slot(int modulus, int offset) implements Field {
        /// As the key of a map is declared; the numbers do not matter there.
        static final Slot ANY = new Slot(2, 0);
    }

    /// As nft writes it.
    default String text(Family family) {
        String ip = ip(family);
        return switch (this) {
            case Packet.DESTINATION -> ip + " daddr";
            case Packet.SOURCE -> ip + " saddr";
            case Packet.PROTOCOL -> "meta l4proto";
            case Packet.PORT -> "th dport";
            case Packet.ORIGINAL_DESTINATION -> "ct original " + ip + " daddr";
            case Packet.ORIGINAL_PORT -> "ct original proto-dst";
            case Slot(int modulus, int offset) ->
                    "numgen random mod " + modulus + (offset == 0 ? "" : " offset " + offset);
        };
    }

    /// The keyword of the family's header.
    static String ip(Family family) {
        return switch (family) {
            case IPV4 -> "ip";
            case IPV6 -> "ip6";
        };
    }

    /// Bytes of the field, before padding.
    default int length(Family family) {
        return switch (this) {
            case Packet.DESTINATION, Packet.SOURCE, Packet.ORIGINAL_DESTINATION ->
                    family.bits() / 8;
            case Packet.PROTOCOL -> 1;
            case Packet.PORT, Packet.ORIGINAL_PORT -> 2;
            case Slot _ -> 4;
        };
    }

    /// Registers of 4 bytes that the field takes.
    default int words(Family family) {
        return (length(family) + 3) / 4;
    }

    default NftExpression load(Family family, int register) {
        return switch (this) {
            case Packet.DESTINATION -> address(family, register, 16, 24);
            case Packet.SOURCE -> address(family, register, 12, 8);
            case Packet.PROTOCOL ->
                    new NftExpression.MetaLoad(NftExpression.MetaKey.L4PROTO, register);
            case Packet.PORT ->
                    new NftExpression.Payload(
                            NftExpression.Payload.Base.TRANSPORT, 2, length(family), register);
            case Packet.ORIGINAL_DESTINATION ->
                    original(
                            switch (family) {
                                case IPV4 -> NftExpression.CtKey.DST_IP;
                                case IPV6 -> NftExpression.CtKey.DST_IP6;
                            },
                            register);
            case Packet.ORIGINAL_PORT -> original(NftExpression.CtKey.PROTO_DST, register);
            case Slot(int modulus, int offset) ->
                    new NftExpression.Numgen(
                            NftExpression.Numgen.Mode.RANDOM, modulus, offset, register);
        };
    }

    /// Where the field starts in the IP header, for the two addresses.
    private static NftExpression address(Family family, int register, int ipv4, int ipv6) {
        return new NftExpression.Payload(
                NftExpression.Payload.Base.NETWORK,
                switch (family) {
                    case IPV4 -> ipv4;
                    case IPV6 -> ipv6;
                },
                family.bits() / 8,
                register);
    }

    private static NftExpression original(NftExpression.CtKey key, int register) {
        return new NftExpression.CtLoad(key, NftExpression.CtLoad.Direction.ORIGINAL, register);
    }

    /// The field as the type of a key that elements are kept under.
    default NftTypeof.Field type(Family family) {
        return switch (this) {
            case Packet.DESTINATION, Packet.ORIGINAL_DESTINATION ->
                    switch (family) {
                        case IPV4 -> NftTypeof.Field.IP_DADDR;
                        case IPV6 -> NftTypeof.Field.IP6_DADDR;
                    };
            case Packet.SOURCE ->
                    switch (family) {
                        case IPV4 -> NftTypeof.Field.IP_SADDR;
                        case IPV6 -> NftTypeof.Field.IP6_SADDR;
                    };
            case Packet.PROTOCOL -> NftTypeof.Field.META_L4PROTO;
            case Packet.PORT, Packet.ORIGINAL_PORT -> NftTypeof.Field.TH_DPORT;
            case Slot _ -> NftTypeof.Field.NUMGEN_RANDOM;
        };
    }

    /// A value of the field, read from the next bytes of an element, as nft writes it. Leaves the
    /// buffer behind the padding.
    default String value(Family family, ByteBuffer bytes) {
        return switch (this) {
            case Packet.DESTINATION, Packet.SOURCE, Packet.ORIGINAL_DESTINATION -> {
                byte[] address = new byte[length(family)];
                bytes.get(address);
                yield IpAddress.of(address).toString();
            }
            case Packet.PROTOCOL -> {
                int number = Byte.toUnsignedInt(bytes.get());
                skip(bytes, 3);
                yield protocol(number);
            }
            case Packet.PORT, Packet.ORIGINAL_PORT -> {
                int number = Short.toUnsignedInt(bytes.getShort());
                // A lone port is not padded.
                skip(bytes, Math.min(2, bytes.remaining()));
                yield Integer.toString(number);
            }
            case Slot _ -> {
                int number = bytes.order(ByteOrder.nativeOrder()).getInt();
                bytes.order(ByteOrder.BIG_ENDIAN);
                yield Integer.toUnsignedString(number);
            }
        };
    }

    private static void skip(ByteBuffer bytes, int count) {
        bytes.position(bytes.position() + count);
    }

    private static String protocol(int number) {
        for (Protocol protocol : Protocol.values()) {
            if (protocol.number() == number) {
                return protocol.keyword();
            }
        }
        return Integer.toString(number);
    }
}
