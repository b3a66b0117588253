package dev.pointsman.netlink;

import java.time.Duration;
import java.util.Arrays;

/// One element of a set or map.
///
/// The arrays are kept, not copied, because batches of tens of thousands of elements are encoded
/// from them: do not change them.
///
/// @param key as it stands in registers, every field of a concatenation padded to 4 bytes;
///   addresses and ports in network byte order, numbers such as marks and `numgen` in the machine's
/// @param keyEnd last key of a range of concatenated fields, both ends included; empty for none
/// @param timeout how long the element lives, zero for the set's own time; in a listing the time
///   left
@SuppressWarnings("ArrayRecordComponent") // compared by content below; kept, not copied
public record NftElement(byte[] key, byte[] keyEnd, NftValue value, Kind kind, Duration timeout) {
    private static final byte[] NO_KEY = {};
    private static final NftValue NO_VALUE = new NftValue.None();

    /// `enum nft_set_elem_flags`. A range in a set of plain keys is an ordinary element at its
    /// start and an `INTERVAL_END` one past its end.
    public enum Kind {
        ORDINARY(0),
        INTERVAL_END(1),
        CATCH_ALL(2);

        private final int bits;

        Kind(int bits) {
            this.bits = bits;
        }

        int bits() {
            return bits;
        }

        static Kind of(int bits) {
            if ((bits & CATCH_ALL.bits) != 0) {
                return CATCH_ALL;
            }
            return (bits & INTERVAL_END.bits) == 0 ? ORDINARY : INTERVAL_END;
        }
    }

    /// A member of a set, or the key of a map element to delete.
    public static NftElement of(byte[] key) {
        return of(key, NO_VALUE);
    }

    /// A key of a map and its value.
    public static NftElement of(byte[] key, NftValue value) {
        return new NftElement(key, NO_KEY, value, Kind.ORDINARY, Duration.ZERO);
    }

    /// A range of concatenated fields, each field from `key` to `keyEnd`, both included.
    public static NftElement range(byte[] key, byte[] keyEnd) {
        return new NftElement(key, keyEnd, NO_VALUE, Kind.ORDINARY, Duration.ZERO);
    }

    /// The first key past a range of plain keys.
    public static NftElement intervalEnd(byte[] key) {
        return new NftElement(key, NO_KEY, NO_VALUE, Kind.INTERVAL_END, Duration.ZERO);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NftElement that
                && Arrays.equals(key, that.key)
                && Arrays.equals(keyEnd, that.keyEnd)
                && value.equals(that.value)
                && kind == that.kind
                && timeout.equals(that.timeout);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(key) * 31 + value.hashCode();
    }

    @Override
    public String toString() {
        String range = keyEnd.length == 0 ? Hex.of(key) : Hex.of(key) + "-" + Hex.of(keyEnd);
        String suffix = kind == Kind.ORDINARY ? "" : " " + kind;
        return value instanceof NftValue.None ? range + suffix : range + suffix + " : " + value;
    }
}
