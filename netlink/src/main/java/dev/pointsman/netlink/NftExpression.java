package dev.pointsman.netlink;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// One instruction of the nf_tables virtual machine, named after the kernel's expression.
///
/// Registers are numbers from [NftRegister]. Comparison bytes are in the order in which the value
/// stands in the register: network order for what comes from packets, the machine's for marks,
/// conntrack state, address types and `numgen`.
public sealed interface NftExpression {

    /// Loads bytes of the packet.
    record Payload(Base base, int offset, int length, int dreg) implements NftExpression {
        public Payload {
            dreg = NftRegister.canonical(dreg);
        }

        /// `enum nft_payload_bases`.
        public enum Base {
            LINK(0),
            NETWORK(1),
            TRANSPORT(2);

            private final int number;

            Base(int number) {
                this.number = number;
            }

            int number() {
                return number;
            }
        }
    }

    /// Loads a property of the packet that is not in its bytes.
    record MetaLoad(MetaKey key, int dreg) implements NftExpression {
        public MetaLoad {
            dreg = NftRegister.canonical(dreg);
        }
    }

    /// Changes a property of the packet.
    record MetaSet(MetaKey key, int sreg) implements NftExpression {
        public MetaSet {
            sreg = NftRegister.canonical(sreg);
        }
    }

    /// `enum nft_meta_keys`.
    enum MetaKey {
        /// The packet mark, 4 bytes in the machine's order.
        MARK(3),
        /// Name of the interface the packet came in by, 16 bytes padded with zeros.
        IIFNAME(6),
        /// Name of the interface the packet goes out by, 16 bytes padded with zeros.
        OIFNAME(7),
        /// `NFPROTO_*`, 1 byte.
        NFPROTO(15),
        /// `IPPROTO_*`, 1 byte.
        L4PROTO(16);

        private final int number;

        MetaKey(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    /// Loads a property of the packet's connection.
    record CtLoad(CtKey key, Direction direction, int dreg) implements NftExpression {
        public CtLoad {
            dreg = NftRegister.canonical(dreg);
        }

        /// Which of the connection's two tuples is meant.
        public enum Direction {
            /// The key has no direction.
            NONE,
            ORIGINAL,
            REPLY
        }
    }

    /// `enum nft_ct_keys`.
    enum CtKey {
        /// Bits of [NftConntrack], 4 bytes.
        STATE(0),
        /// Bits of `IPS_*`, 4 bytes.
        STATUS(2),
        MARK(3),
        /// `IPPROTO_*`, 1 byte.
        PROTOCOL(10),
        /// Source port, 2 bytes.
        PROTO_SRC(11),
        /// Destination port, 2 bytes.
        PROTO_DST(12),
        /// IPv4 source address (Linux 4.17).
        SRC_IP(19),
        /// IPv4 destination address (Linux 4.17).
        DST_IP(20),
        /// IPv6 source address (Linux 4.17).
        SRC_IP6(21),
        /// IPv6 destination address (Linux 4.17).
        DST_IP6(22);

        private final int number;

        CtKey(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    /// Goes on only if the register compares as told with the bytes; as many bytes are compared as
    /// are given, so a shorter run compares a prefix.
    @SuppressWarnings("ArrayRecordComponent") // compared by content below; kept, not copied
    record Cmp(int sreg, Comparison op, byte[] data) implements NftExpression {
        public Cmp {
            sreg = NftRegister.canonical(sreg);
        }

        /// `enum nft_cmp_ops`.
        public enum Comparison {
            EQ(0),
            NEQ(1),
            LT(2),
            LTE(3),
            GT(4),
            GTE(5);

            private final int number;

            Comparison(int number) {
                this.number = number;
            }

            int number() {
                return number;
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Cmp(var theirSreg, var theirOp, var theirData)
                    && sreg == theirSreg
                    && op == theirOp
                    && Arrays.equals(data, theirData);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(data) * 31 + sreg;
        }

        @Override
        public String toString() {
            return "Cmp[sreg=" + sreg + ", op=" + op + ", data=" + Hex.of(data) + "]";
        }
    }

    /// Goes on only if the register lies within `from` to `to`, both included, or only if it does
    /// not.
    @SuppressWarnings("ArrayRecordComponent") // compared by content below; kept, not copied
    record Range(int sreg, Sense sense, byte[] from, byte[] to) implements NftExpression {
        public Range {
            sreg = NftRegister.canonical(sreg);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Range(var theirSreg, var theirSense, var theirFrom, var theirTo)
                    && sreg == theirSreg
                    && sense == theirSense
                    && Arrays.equals(from, theirFrom)
                    && Arrays.equals(to, theirTo);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(from) * 31 + sreg;
        }

        @Override
        public String toString() {
            return "Range[sreg="
                    + sreg
                    + ", sense="
                    + sense
                    + ", "
                    + Hex.of(from)
                    + "-"
                    + Hex.of(to)
                    + "]";
        }
    }

    /// Whether a match goes on inside or outside of what it names.
    enum Sense {
        IN(0),
        NOT_IN(1);

        private final int number;

        Sense(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    /// Computes `dreg = (sreg & mask) ^ xor` over as many bytes as the mask has.
    @SuppressWarnings("ArrayRecordComponent") // compared by content below; kept, not copied
    record Bitwise(int sreg, int dreg, byte[] mask, byte[] xor) implements NftExpression {
        public Bitwise {
            sreg = NftRegister.canonical(sreg);
            dreg = NftRegister.canonical(dreg);
            if (mask.length != xor.length) {
                throw new IllegalArgumentException(
                        "mask of " + mask.length + " bytes with xor of " + xor.length);
            }
        }

        @Override
        public boolean equals(Object other) {
            return other
                            instanceof
                            Bitwise(var theirSreg, var theirDreg, var theirMask, var theirXor)
                    && sreg == theirSreg
                    && dreg == theirDreg
                    && Arrays.equals(mask, theirMask)
                    && Arrays.equals(xor, theirXor);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(mask) * 31 + Arrays.hashCode(xor);
        }

        @Override
        public String toString() {
            return "Bitwise[sreg="
                    + sreg
                    + ", dreg="
                    + dreg
                    + ", mask="
                    + Hex.of(mask)
                    + ", xor="
                    + Hex.of(xor)
                    + "]";
        }
    }

    /// Swaps `length` bytes between the machine's and the network's order, in units of `size`
    /// bytes.
    record Byteorder(int sreg, int dreg, Conversion op, int length, int size)
            implements NftExpression {
        public Byteorder {
            sreg = NftRegister.canonical(sreg);
            dreg = NftRegister.canonical(dreg);
        }

        /// `enum nft_byteorder_ops`.
        public enum Conversion {
            NTOH(0),
            HTON(1);

            private final int number;

            Conversion(int number) {
                this.number = number;
            }

            int number() {
                return number;
            }
        }
    }

    /// Loads a constant, or ends the rule with a verdict.
    record Immediate(NftValue value, int dreg) implements NftExpression {
        public Immediate {
            dreg = NftRegister.canonical(dreg);
            if (value instanceof NftValue.None) {
                throw new IllegalArgumentException("an immediate expression loads a value");
            }
        }

        /// Ends the rule with a verdict.
        public Immediate(NftValue.Verdict verdict) {
            this(verdict, NftRegister.VERDICT);
        }
    }

    /// Goes on only if the register is in a set, or only if it is not.
    record Lookup(String set, int sreg, Sense sense) implements NftExpression {
        public Lookup {
            sreg = NftRegister.canonical(sreg);
        }
    }

    /// Loads what a map holds for the register; a missing key ends the rule. With
    /// [NftRegister#VERDICT] as destination the value is a verdict and is taken.
    record MapLookup(String map, int sreg, int dreg) implements NftExpression {
        public MapLookup {
            sreg = NftRegister.canonical(sreg);
            dreg = NftRegister.canonical(dreg);
        }
    }

    /// Rewrites an address and, if `portReg` is not [NftRegister#VERDICT], a port.
    record Nat(Kind type, NftFamily family, int addressReg, int portReg, Set<NatFlag> flags)
            implements NftExpression {
        public Nat {
            addressReg = NftRegister.canonical(addressReg);
            portReg = NftRegister.canonical(portReg);
            flags = flags.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(flags));
        }

        /// `enum nft_nat_types`.
        public enum Kind {
            SNAT(0),
            DNAT(1);

            private final int number;

            Kind(int number) {
                this.number = number;
            }

            int number() {
                return number;
            }
        }
    }

    /// `NF_NAT_RANGE_*` of `linux/netfilter/nf_nat.h`.
    enum NatFlag {
        /// Choose the port by a hash.
        RANDOM(0x4),
        /// Choose the same address for the same client.
        PERSISTENT(0x8),
        /// Choose the port at random.
        FULLY_RANDOM(0x10);

        private final int bit;

        NatFlag(int bit) {
            this.bit = bit;
        }

        static int bits(Set<NatFlag> flags) {
            int bits = 0;
            for (NatFlag flag : flags) {
                bits |= flag.bit;
            }
            return bits;
        }
    }

    /// Rewrites the source to the address of the outgoing interface.
    record Masquerade(Set<NatFlag> flags) implements NftExpression {
        public Masquerade {
            flags = flags.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(flags));
        }
    }

    /// Drops the packet and tells its sender.
    ///
    /// @param code ICMP or ICMPv6 code for `ICMP_UNREACHABLE`; ignored for `TCP_RESET`
    record Reject(Type type, int code) implements NftExpression {
        /// Port unreachable, as `reject` sends it in a table for IPv4.
        public static final Reject IPV4_PORT_UNREACHABLE = new Reject(Type.ICMP_UNREACHABLE, 3);

        /// Port unreachable, as `reject` sends it in a table for IPv6.
        public static final Reject IPV6_PORT_UNREACHABLE = new Reject(Type.ICMP_UNREACHABLE, 4);

        /// `enum nft_reject_types`.
        public enum Type {
            ICMP_UNREACHABLE(0),
            TCP_RESET(1);

            private final int number;

            Type(int number) {
                this.number = number;
            }

            int number() {
                return number;
            }
        }
    }

    /// Loads what the routing table says about the packet.
    record Fib(Result result, Set<Of> of, int dreg) implements NftExpression {
        public Fib {
            of = of.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(of));
            dreg = NftRegister.canonical(dreg);
        }

        /// Type of a local address in [Result#ADDRESS_TYPE], `RTN_LOCAL` of `linux/rtnetlink.h`.
        public static final int LOCAL = 2;

        /// `enum nft_fib_result`.
        public enum Result {
            /// Index of the outgoing interface.
            OIF(1),
            /// Its name.
            OIFNAME(2),
            /// `RTN_*`, 4 bytes in the machine's order.
            ADDRESS_TYPE(3);

            private final int number;

            Result(int number) {
                this.number = number;
            }

            int number() {
                return number;
            }
        }

        /// What is looked up, and by what (`enum nft_fib_flags`).
        public enum Of {
            SADDR(1),
            DADDR(2),
            MARK(4),
            IIF(8),
            OIF(16);

            private final int bit;

            Of(int bit) {
                this.bit = bit;
            }

            static int bits(Set<Of> of) {
                int bits = 0;
                for (Of each : of) {
                    bits |= each.bit;
                }
                return bits;
            }
        }
    }

    /// Loads a number from `offset` to `offset + modulus - 1`, in the machine's byte order.
    record Numgen(Mode mode, int modulus, int offset, int dreg) implements NftExpression {
        public Numgen {
            dreg = NftRegister.canonical(dreg);
        }

        /// `enum nft_ng_types`.
        public enum Mode {
            INCREMENTAL(0),
            RANDOM(1);

            private final int number;

            Mode(int number) {
                this.number = number;
            }

            int number() {
                return number;
            }
        }
    }

    /// Writes an element into a set from the packet path.
    ///
    /// @param dataReg register with the value of a map's element, [NftRegister#VERDICT] for a set
    /// @param timeout how long the element lives, zero for the set's own time
    record Dynset(String set, Action op, int keyReg, int dataReg, Duration timeout)
            implements NftExpression {
        public Dynset {
            keyReg = NftRegister.canonical(keyReg);
            dataReg = NftRegister.canonical(dataReg);
        }

        /// `enum nft_dynset_ops`.
        public enum Action {
            /// Adds the element unless it is there.
            ADD(0),
            /// Adds the element, or restarts its time.
            UPDATE(1),
            DELETE(2);

            private final int number;

            Action(int number) {
                this.number = number;
            }

            int number() {
                return number;
            }
        }
    }

    /// Counts packets and bytes.
    record Counter() implements NftExpression {}
}
