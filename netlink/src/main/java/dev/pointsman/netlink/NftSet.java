package dev.pointsman.netlink;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// A named set, or a map when its elements have values.
///
/// `MAP` and `CONCAT` follow from the other components and need not be given.
///
/// A name with `%d` in it is a pattern: the kernel puts a number in its place. Anonymous sets are
/// named so (nft calls them all `__set%d`); they are filled before a rule of the same batch uses
/// them, and elements and rules refer to them by the pattern.
///
/// @param keyType nft's number for the type of the key, see [NftDatatype]; the kernel only keeps it
/// @param keyLength bytes of the key in registers
/// @param fieldLengths bytes of each field before padding, for intervals of concatenations; else
///   empty
/// @param userdata what nft stores to print the set again, see [NftTypeof]; empty for none. The
///   array is kept, not copied: do not change it.
/// @param id distinguishes the set within its batch, not zero
/// @param size most elements the set takes, 0 for no limit (65,535 for sets filled by rules)
/// @param timeout how long elements live that name no time of their own, zero for ever
@SuppressWarnings("ArrayRecordComponent") // compared by content below; kept, not copied
public record NftSet(
        String table,
        String name,
        int keyType,
        int keyLength,
        List<Integer> fieldLengths,
        Set<Flag> flags,
        Value value,
        byte[] userdata,
        int id,
        int size,
        Duration timeout) {

    private static final String NUMBER = "%d";

    public NftSet {
        fieldLengths = List.copyOf(fieldLengths);
        EnumSet<Flag> all = EnumSet.noneOf(Flag.class);
        all.addAll(flags);
        if (!(value instanceof Value.None)) {
            all.add(Flag.MAP);
        }
        if (!fieldLengths.isEmpty()) {
            all.add(Flag.CONCAT);
        }
        flags = Collections.unmodifiableSet(all);
    }

    /// A set without limit of size and without a timeout of its own.
    public NftSet(
            String table,
            String name,
            int keyType,
            int keyLength,
            List<Integer> fieldLengths,
            Set<Flag> flags,
            Value value,
            byte[] userdata,
            int id) {
        this(
                table,
                name,
                keyType,
                keyLength,
                fieldLengths,
                flags,
                value,
                userdata,
                id,
                0,
                Duration.ZERO);
    }

    static boolean isPattern(String name) {
        return name.contains(NUMBER);
    }

    /// Whether the kernel may have made a name from a pattern.
    static boolean matches(String pattern, String name) {
        int at = pattern.indexOf(NUMBER);
        String before = pattern.substring(0, at);
        String after = pattern.substring(at + NUMBER.length());
        return name.length() > before.length() + after.length()
                && name.startsWith(before)
                && name.endsWith(after)
                && name.substring(before.length(), name.length() - after.length())
                        .chars()
                        .allMatch(Character::isDigit);
    }

    /// This set with a limit of size.
    public NftSet sized(int limit) {
        return new NftSet(
                table,
                name,
                keyType,
                keyLength,
                fieldLengths,
                flags,
                value,
                userdata,
                id,
                limit,
                timeout);
    }

    /// What an element of the set maps to.
    public sealed interface Value {
        /// Nothing: it is a set.
        record None() implements Value {}

        /// Bytes.
        ///
        /// @param type nft's number for their type, see [NftDatatype]
        /// @param length bytes in registers
        record Data(int type, int length) implements Value {}

        /// A verdict.
        record Verdict() implements Value {}
    }

    /// `enum nft_set_flags` of `linux/netfilter/nf_tables.h`.
    public enum Flag {
        /// Lives and dies with the rule that uses it.
        ANONYMOUS(0x1),
        /// Does not change once a rule uses it.
        CONSTANT(0x2),
        /// Keys are ranges.
        INTERVAL(0x4),
        /// Elements have values.
        MAP(0x8),
        /// Elements may expire.
        TIMEOUT(0x10),
        /// Rules add elements; nft calls it `dynamic`.
        EVAL(0x20),
        /// Values are stateful objects.
        OBJECT(0x40),
        /// Ranges are given per field.
        CONCAT(0x80),
        /// Elements have expressions.
        EXPR(0x100);

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
        return other instanceof NftSet that
                && table.equals(that.table)
                && name.equals(that.name)
                && id == that.id
                && sameAs(that);
    }

    /// Whether two sets hold the same kind of elements under the same limits, whatever their names
    /// and the batch that made them.
    public boolean sameAs(NftSet that) {
        return keyType == that.keyType
                && keyLength == that.keyLength
                && fieldLengths.equals(that.fieldLengths)
                && flags.equals(that.flags)
                && value.equals(that.value)
                && Arrays.equals(userdata, that.userdata)
                && size == that.size
                && timeout.equals(that.timeout);
    }

    @Override
    public int hashCode() {
        return table.hashCode() * 31 + name.hashCode();
    }

    @Override
    public String toString() {
        return "NftSet["
                + table
                + " "
                + name
                + " key "
                + keyType
                + "/"
                + keyLength
                + " fields "
                + fieldLengths
                + " "
                + flags
                + " "
                + value
                + " userdata="
                + Hex.of(userdata)
                + " id "
                + id
                + " size "
                + size
                + " timeout "
                + timeout
                + "]";
    }
}
