package dev.pointsman.nftables;

import java.util.Arrays;

/// What tells an element from the others of its set. The bytes are kept, not copied.
///
/// Not a `ByteBuffer`: the hash of that one multiplies by 31, and addresses and slots that count up
/// share few of its values.
@SuppressWarnings("ArrayRecordComponent") // compared by content below
record ElementKey(byte[] bytes) implements Comparable<ElementKey> {
    private static final int SPREAD = 0x9E3779B1;

    @Override
    public int compareTo(ElementKey other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ElementKey(byte[] theirs) && Arrays.equals(bytes, theirs);
    }

    @Override
    public int hashCode() {
        int hash = 0;
        for (byte each : bytes) {
            hash = hash * SPREAD + each;
        }
        return hash;
    }
}
