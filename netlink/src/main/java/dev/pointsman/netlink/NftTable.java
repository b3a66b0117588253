package dev.pointsman.netlink;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// A table as the kernel lists it.
///
/// @param handle unique among the tables of the namespace, never used again
/// @param use number of chains, sets and other objects in it
/// @param userdata bytes that were given when the table was created; empty for none
@SuppressWarnings("ArrayRecordComponent") // compared by content below; kept, not copied
public record NftTable(String name, long handle, int use, Set<Flag> flags, byte[] userdata) {
    public NftTable {
        flags = flags.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(flags));
    }

    /// `enum nft_table_flags` of `linux/netfilter/nf_tables.h`.
    public enum Flag {
        /// The kernel calls none of its chains.
        DORMANT(0x1),
        /// Only the socket that made it may change it, and it dies with that socket (Linux 5.12).
        OWNER(0x2),
        /// It outlives the socket that owns it, and may be adopted by another (Linux 6.9).
        PERSIST(0x4);

        private final int bit;

        Flag(int bit) {
            this.bit = bit;
        }

        static int bits(Set<Flag> flags) {
            int bits = 0;
            for (Flag flag : flags) {
                bits |= flag.bit;
            }
            return bits;
        }

        static Set<Flag> of(int bits) {
            EnumSet<Flag> flags = EnumSet.noneOf(Flag.class);
            for (Flag flag : values()) {
                if ((bits & flag.bit) != 0) {
                    flags.add(flag);
                }
            }
            return flags;
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NftTable that
                && name.equals(that.name)
                && handle == that.handle
                && use == that.use
                && flags.equals(that.flags)
                && Arrays.equals(userdata, that.userdata);
    }

    @Override
    public int hashCode() {
        return name.hashCode() * 31 + Long.hashCode(handle);
    }

    @Override
    public String toString() {
        return "NftTable["
                + name
                + " handle "
                + handle
                + " use "
                + use
                + " "
                + flags
                + " userdata="
                + Hex.of(userdata)
                + "]";
    }
}
