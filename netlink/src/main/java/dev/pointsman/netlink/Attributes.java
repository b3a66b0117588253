package dev.pointsman.netlink;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A cursor over a run of netlink attributes that checks every length before it reads.
///
/// [#next()] steps to the next attribute; the getters read the one it stands on. Malformed bytes
/// give a [NetlinkException] that names the offset in the datagram and the attribute.
final class Attributes {
    /// The type field without `NLA_F_NESTED` and `NLA_F_NET_BYTEORDER`.
    private static final int TYPE_MASK = 0x3fff;

    private byte[] bytes;
    private int to;
    private int following;
    private int from;
    private int until;
    private int type = -1;
    private boolean nested;

    /// The attributes in `bytes[from, to)`, a range that lies within the array.
    Attributes(byte[] bytes, int from, int to) {
        if (from < 0 || to > bytes.length || from > to) {
            throw new NetlinkException(
                    "malformed netlink message: attributes from "
                            + from
                            + " to "
                            + to
                            + " in "
                            + bytes.length
                            + " bytes");
        }
        this.bytes = bytes;
        this.following = from;
        this.to = to;
    }

    /// Goes on with the attributes in the value that `outer` stands on: for who reads so many that
    /// one object for each would be felt.
    void enter(Attributes outer) {
        bytes = outer.bytes;
        following = outer.from;
        to = outer.until;
    }

    /// Goes on with the attributes in `other[start, end)`, a range that lies within the array.
    void enter(byte[] other, int start, int end) {
        bytes = other;
        following = start;
        to = end;
    }

    boolean next() {
        // The kernel pads the last attribute of a message or not, by family; less than a header is
        // padding.
        if (to - following < 4) {
            return false;
        }
        int start = following;
        int size = (short) MessageWriter.NATIVE_SHORT.get(bytes, start) & 0xffff;
        int typeField = (short) MessageWriter.NATIVE_SHORT.get(bytes, start + 2);
        type = typeField & TYPE_MASK;
        nested = (typeField & MessageWriter.NESTED) != 0;
        if (size < 4 || size > to - start) {
            throw new NetlinkException(
                    "malformed netlink message: attribute "
                            + type
                            + " at offset "
                            + start
                            + " claims "
                            + size
                            + " bytes of the "
                            + (to - start)
                            + " that are left");
        }
        from = start + 4;
        until = start + size;
        following = Math.min(to, start + ((size + 3) & ~3));
        return true;
    }

    int type() {
        return type;
    }

    /// Whether the writer marked the value as attributes. Old kernels do not mark theirs.
    boolean isNested() {
        return nested;
    }

    /// Where the value starts in the datagram.
    int offset() {
        return from;
    }

    /// The length of the value.
    int size() {
        return until - from;
    }

    int u8() {
        return bytes[need(1)] & 0xff;
    }

    int u16() {
        return (short) MessageWriter.NETWORK_SHORT.get(bytes, need(2)) & 0xffff;
    }

    int nativeU16() {
        return (short) MessageWriter.NATIVE_SHORT.get(bytes, need(2)) & 0xffff;
    }

    int u32() {
        return (int) MessageWriter.NETWORK_INT.get(bytes, need(4));
    }

    int nativeU32() {
        return (int) MessageWriter.NATIVE_INT.get(bytes, need(4));
    }

    long u64() {
        return (long) MessageWriter.NETWORK_LONG.get(bytes, need(8));
    }

    byte[] bytes() {
        return Arrays.copyOfRange(bytes, from, until);
    }

    /// The value up to its first zero byte.
    String string() {
        int end = from;
        while (end < until && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, from, end - from, StandardCharsets.UTF_8);
    }

    Attributes nested() {
        return new Attributes(bytes, from, until);
    }

    private int need(int size) {
        if (until - from < size) {
            throw new NetlinkException(
                    "malformed netlink message: attribute "
                            + type
                            + " at offset "
                            + (from - 4)
                            + " holds "
                            + (until - from)
                            + " bytes, "
                            + size
                            + " are needed");
        }
        return from;
    }
}
