package dev.pointsman.netlink;

import java.util.Arrays;

/// What an element maps to, or what an immediate expression loads.
public sealed interface NftValue {
    /// No value: an element of a set.
    record None() implements NftValue {}

    /// Bytes as they stand in the registers, every field of a concatenation padded to 4 bytes. The
    /// array is kept, not copied: do not change it.
    @SuppressWarnings(
            "ArrayRecordComponent") // hot path: elements are encoded from the caller's arrays
    record Data(byte[] bytes) implements NftValue {
        @Override
        public boolean equals(Object other) {
            return other instanceof Data(var theirs) && Arrays.equals(bytes, theirs);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return Hex.of(bytes);
        }
    }

    /// Where a packet goes next.
    sealed interface Verdict extends NftValue {}

    /// To a chain, and back here when that chain ends.
    record Jump(String chain) implements Verdict {}

    /// To a chain, and not back.
    record Goto(String chain) implements Verdict {}

    /// Back to the chain that jumped here.
    record Return() implements Verdict {}

    /// To the next rule.
    record Continue() implements Verdict {}

    /// To the next rule, leaving this one at once.
    record Break() implements Verdict {}

    /// Out of this base chain, into the next one.
    record Accept() implements Verdict {}

    /// Nowhere.
    record Drop() implements Verdict {}
}
