package dev.pointsman.netlink;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A growing run of netlink messages with nested attributes.
///
/// Messages and nested attributes are opened by a `begin` that returns a position and closed by the
/// `end` that takes it back. Strings are written with their closing zero byte, as `NLA_STRING` is
/// read by every kernel family.
final class MessageWriter {
    /// `struct nlmsghdr`.
    static final int HEADER_LENGTH = 16;

    /// `NLA_F_NESTED` of `linux/netlink.h`.
    static final int NESTED = 0x8000;

    /// The length field of an attribute is 16 bits wide and counts its 4 bytes of header.
    private static final int LONGEST_ATTRIBUTE = 0xffff;

    static final VarHandle NATIVE_SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());
    static final VarHandle NATIVE_INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    static final VarHandle NETWORK_SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle NETWORK_INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle NETWORK_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] buffer = new byte[4096];
    private int length;

    /// The number of bytes written so far.
    int length() {
        return length;
    }

    /// The bytes written so far are the first [#length()] of this array, until the next write.
    byte[] buffer() {
        return buffer;
    }

    /// Takes back all that is written.
    void clear() {
        Arrays.fill(buffer, 0, length, (byte) 0);
        length = 0;
    }

    /// Opens a message; the length is filled in by [#endMessage(int)].
    int beginMessage(int type, int flags, int sequence) {
        int start = reserve(HEADER_LENGTH);
        NATIVE_SHORT.set(buffer, start + 4, (short) type);
        NATIVE_SHORT.set(buffer, start + 6, (short) flags);
        NATIVE_INT.set(buffer, start + 8, sequence);
        return start;
    }

    void endMessage(int start) {
        NATIVE_INT.set(buffer, start, length - start);
    }

    /// Adds flags to a message that is already written.
    void addFlags(int messageStart, int flags) {
        int before = (short) NATIVE_SHORT.get(buffer, messageStart + 6);
        NATIVE_SHORT.set(buffer, messageStart + 6, (short) (before | flags));
    }

    /// `struct nfgenmsg`: family, version 0, resource id in network byte order.
    void nfHeader(int family, int resource) {
        int at = reserve(4);
        buffer[at] = (byte) family;
        NETWORK_SHORT.set(buffer, at + 2, (short) resource);
    }

    /// A family header of fixed size, written as it is.
    void header(byte[] bytes) {
        int at = reserve(bytes.length);
        System.arraycopy(bytes, 0, buffer, at, bytes.length);
    }

    int begin(int type) {
        int start = reserve(4);
        NATIVE_SHORT.set(buffer, start + 2, (short) (type | NESTED));
        return start;
    }

    void end(int start) {
        int size = length - start;
        if (size > LONGEST_ATTRIBUTE) {
            int type = (short) NATIVE_SHORT.get(buffer, start + 2) & 0x3fff;
            throw new NetlinkException(
                    "netlink attribute "
                            + type
                            + " has "
                            + size
                            + " bytes, the format ends at "
                            + LONGEST_ATTRIBUTE);
        }
        NATIVE_SHORT.set(buffer, start, (short) size);
    }

    void u8(int type, int value) {
        int at = attribute(type, 1); // may replace the buffer
        buffer[at] = (byte) value;
    }

    /// A 16-bit number in network byte order.
    void u16(int type, int value) {
        int at = attribute(type, 2); // may replace the buffer
        NETWORK_SHORT.set(buffer, at, (short) value);
    }

    /// A 16-bit number in the machine's byte order.
    void nativeU16(int type, int value) {
        int at = attribute(type, 2); // may replace the buffer
        NATIVE_SHORT.set(buffer, at, (short) value);
    }

    /// A 32-bit number in network byte order, as nf_tables has them.
    void u32(int type, int value) {
        int at = attribute(type, 4); // may replace the buffer
        NETWORK_INT.set(buffer, at, value);
    }

    /// A 32-bit number in the machine's byte order, as rtnetlink has them.
    void nativeU32(int type, int value) {
        int at = attribute(type, 4); // may replace the buffer
        NATIVE_INT.set(buffer, at, value);
    }

    void u64(int type, long value) {
        int at = attribute(type, 8); // may replace the buffer
        NETWORK_LONG.set(buffer, at, value);
    }

    void bytes(int type, byte[] value) {
        int at = attribute(type, value.length);
        System.arraycopy(value, 0, buffer, at, value.length);
    }

    void string(int type, String value) {
        int size = value.length();
        int at = attribute(type, size + 1);
        for (int i = 0; i < size; i++) {
            char c = value.charAt(i);
            if (c == 0 || c > 0x7e) {
                throw new NetlinkException(
                        "the kernel's names are ASCII, got \""
                                + value
                                + "\" for attribute "
                                + type);
            }
            buffer[at + i] = (byte) c;
        }
    }

    /// A copy of what is written from `start` on.
    byte[] copyFrom(int start) {
        return Arrays.copyOfRange(buffer, start, length);
    }

    /// Opens an attribute of known size and returns where its value goes; that room is zero.
    private int attribute(int type, int size) {
        if (size + 4 > LONGEST_ATTRIBUTE) {
            throw new NetlinkException(
                    "netlink attribute "
                            + type
                            + " has "
                            + (size + 4)
                            + " bytes, the format ends at "
                            + LONGEST_ATTRIBUTE);
        }
        int start = reserve(4 + size);
        NATIVE_SHORT.set(buffer, start, (short) (4 + size));
        NATIVE_SHORT.set(buffer, start + 2, (short) type);
        return start + 4;
    }

    /// Makes room, zeroed and padded to 4 bytes.
    private int reserve(int size) {
        int start = length;
        int padded = (size + 3) & ~3;
        if (padded > buffer.length - start) {
            grow(start + (long) padded);
        }
        length = start + padded;
        return start;
    }

    private void grow(long needed) {
        // setsockopt(2) takes the size of the send buffer as an int and doubles it.
        if (needed > Integer.MAX_VALUE / 2) {
            throw new NetlinkException(
                    "a netlink transaction of " + needed + " bytes does not fit in one datagram");
        }
        buffer =
                Arrays.copyOf(
                        buffer,
                        (int)
                                Math.min(
                                        Integer.MAX_VALUE / 2,
                                        Math.max(needed, buffer.length * 2L)));
    }
}
