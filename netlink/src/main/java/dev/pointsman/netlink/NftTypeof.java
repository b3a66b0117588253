package dev.pointsman.netlink;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// The type of a set or map, described by expressions: nft's `typeof`.
///
/// nft prints a set from the number of its key type, or, where that number says too little (the
/// slot of `numgen` is just an integer of unknown length), from expressions that it stores as the
/// set's user data. The kernel never reads them. The format, captured from nft 1.0.6 and the same
/// in libnftnl's `udata.h` and nftables' `udata` functions since; every number is in the machine's
/// byte order:
///
/// ```
/// Userdata = Item*                            Item = type u8, length u8, value
/// 0  byte order of the key, u32               0 mixed, 1 the machine's, 2 network
/// 1  byte order of the value, u32             maps only
/// 3  typeof the key: Typeof
/// 4  typeof the value: Typeof                 maps only
/// 6  values are intervals, u32                maps only, 0: they are not
/// Typeof   = Item 0: kind of expression u32, Item 1: its own Item*
///            kind 13 (concatenation): Item i holds the Typeof of field i
///            kind 7 (payload): Item 0 header u32, Item 1 field u32
///            kind 9 (meta): Item 0 key u32
///            kind 23 (numgen): Item 0 mode u32, Item 1 modulus u32, Item 2 offset u32
///            kind 1 (verdict): nothing
/// ```
public final class NftTypeof {
    private static final int KEY_BYTE_ORDER = 0;
    private static final int VALUE_BYTE_ORDER = 1;
    private static final int KEY = 3;
    private static final int VALUE = 4;
    private static final int VALUE_INTERVALS = 6;
    private static final int KIND = 0;
    private static final int BODY = 1;
    private static final int CONCATENATION = 13;
    private static final int VERDICT = 1;
    private static final int REGISTER = 4;

    private final List<Field> key;
    private final NftSet.Value value;
    private final byte[] userdata;

    /// One field of a key or value.
    public enum Field {
        IP_SADDR(NftDatatype.IPV4_ADDRESS, 4, Order.NETWORK, Kind.PAYLOAD, 12, 11),
        IP_DADDR(NftDatatype.IPV4_ADDRESS, 4, Order.NETWORK, Kind.PAYLOAD, 12, 12),
        IP6_SADDR(NftDatatype.IPV6_ADDRESS, 16, Order.NETWORK, Kind.PAYLOAD, 13, 8),
        IP6_DADDR(NftDatatype.IPV6_ADDRESS, 16, Order.NETWORK, Kind.PAYLOAD, 13, 9),
        TH_SPORT(NftDatatype.INET_SERVICE, 2, Order.NETWORK, Kind.PAYLOAD, 11, 1),
        TH_DPORT(NftDatatype.INET_SERVICE, 2, Order.NETWORK, Kind.PAYLOAD, 11, 2),
        META_L4PROTO(NftDatatype.INET_PROTOCOL, 1, Order.MACHINE, Kind.META, 16),
        META_MARK(NftDatatype.MARK, 4, Order.MACHINE, Kind.META, 3),
        META_IIFNAME(NftDatatype.INTERFACE_NAME, 16, Order.MACHINE, Kind.META, 6),
        META_OIFNAME(NftDatatype.INTERFACE_NAME, 16, Order.MACHINE, Kind.META, 7),
        /// `numgen random mod 2`; the modulus of the rules may be another.
        NUMGEN_RANDOM(NftDatatype.INTEGER, 4, Order.MACHINE, Kind.NUMGEN, 1, 2, 0);

        private final int datatype;
        private final int length;
        private final Order order;
        private final Kind kind;

        @SuppressWarnings("ImmutableEnumChecker") // the array never leaves this class
        private final int[] arguments;

        Field(int datatype, int length, Order order, Kind kind, int... arguments) {
            this.datatype = datatype;
            this.length = length;
            this.order = order;
            this.kind = kind;
            this.arguments = arguments;
        }

        /// Bytes of the field before it is padded to 4.
        public int length() {
            return length;
        }
    }

    /// nftables' `enum byteorder`.
    private enum Order {
        MIXED(0),
        MACHINE(1),
        NETWORK(2);

        private final int number;

        Order(int number) {
            this.number = number;
        }
    }

    /// nftables' `enum expr_types`.
    private enum Kind {
        PAYLOAD(7),
        META(9),
        NUMGEN(23);

        private final int number;

        Kind(int number) {
            this.number = number;
        }
    }

    private NftTypeof(List<Field> key, NftSet.Value value, byte[] userdata) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("a set has a key");
        }
        this.key = key;
        this.value = value;
        this.userdata = userdata;
    }

    /// A set of such keys.
    public static NftTypeof set(List<Field> key) {
        byte[] userdata = items(number(KEY_BYTE_ORDER, order(key).number), item(KEY, type(key)));
        return new NftTypeof(List.copyOf(key), new NftSet.Value.None(), userdata);
    }

    /// A map from such keys to verdicts.
    public static NftTypeof verdictMap(List<Field> key) {
        byte[] verdict = items(number(KIND, VERDICT), item(BODY, new byte[0]));
        return new NftTypeof(
                List.copyOf(key),
                new NftSet.Value.Verdict(),
                mapUserdata(key, Order.MIXED, verdict));
    }

    /// A map from such keys to such values.
    public static NftTypeof map(List<Field> key, List<Field> value) {
        return new NftTypeof(
                List.copyOf(key),
                new NftSet.Value.Data(datatype(value), registerLength(value)),
                mapUserdata(key, order(value), type(value)));
    }

    /// The set of this type.
    ///
    /// @param flags such as `INTERVAL`; what follows from the type is added
    /// @param id distinguishes the set within its batch, not zero
    public NftSet named(String table, String name, Set<NftSet.Flag> flags, int id) {
        EnumSet<NftSet.Flag> all = EnumSet.noneOf(NftSet.Flag.class);
        all.addAll(flags);
        List<Integer> fieldLengths =
                all.contains(NftSet.Flag.INTERVAL) && key.size() > 1
                        ? key.stream().map(Field::length).toList()
                        : List.of();
        return new NftSet(
                table,
                name,
                datatype(key),
                registerLength(key),
                fieldLengths,
                all,
                value,
                userdata(),
                id);
    }

    /// What nft stores with the set.
    public byte[] userdata() {
        return userdata.clone();
    }

    private static byte[] mapUserdata(List<Field> key, Order valueOrder, byte[] valueType) {
        return items(
                number(KEY_BYTE_ORDER, order(key).number),
                number(VALUE_BYTE_ORDER, valueOrder.number),
                item(KEY, type(key)),
                item(VALUE, valueType),
                number(VALUE_INTERVALS, 0));
    }

    private static int datatype(List<Field> fields) {
        return NftDatatype.concatenation(
                fields.stream().mapToInt(field -> field.datatype).toArray());
    }

    private static int registerLength(List<Field> fields) {
        if (fields.size() == 1) {
            return fields.getFirst().length;
        }
        return fields.stream()
                .mapToInt(field -> (field.length + REGISTER - 1) / REGISTER * REGISTER)
                .sum();
    }

    private static Order order(List<Field> fields) {
        return fields.size() == 1 ? fields.getFirst().order : Order.MIXED;
    }

    private static byte[] type(List<Field> fields) {
        if (fields.size() == 1) {
            return type(fields.getFirst());
        }
        byte[][] each = new byte[fields.size()][];
        for (int i = 0; i < each.length; i++) {
            each[i] = item(i, type(fields.get(i)));
        }
        return items(number(KIND, CONCATENATION), item(BODY, items(each)));
    }

    private static byte[] type(Field field) {
        byte[][] arguments = new byte[field.arguments.length][];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = number(i, field.arguments[i]);
        }
        return items(number(KIND, field.kind.number), item(BODY, items(arguments)));
    }

    private static byte[] number(int type, int number) {
        return item(
                type, ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(number).array());
    }

    private static byte[] item(int type, byte[] value) {
        if (value.length > 0xff) {
            throw new IllegalArgumentException("the type has too many fields for nft's user data");
        }
        return ByteBuffer.allocate(2 + value.length)
                .put((byte) type)
                .put((byte) value.length)
                .put(value)
                .array();
    }

    private static byte[] items(byte[]... items) {
        var all = new ByteArrayOutputStream();
        for (byte[] item : items) {
            all.writeBytes(item);
        }
        return all.toByteArray();
    }
}
