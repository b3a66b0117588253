package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.Family;
import java.util.Arrays;
import java.util.List;

/// What a step reads.
public sealed interface Operand {

    /// One value of the packet, of its connection or of where it is.
    enum Field implements Operand {
        /// 2 or 10 (`NFPROTO_IPV4`, `NFPROTO_IPV6`).
        FAMILY,
        PROTOCOL,
        SOURCE_PORT,
        DESTINATION_PORT,
        /// Of a TCP packet: SYN of the first, ACK of any later one.
        TCP_FLAGS,
        ICMP_TYPE,
        ICMP_CODE,
        /// The name, empty where there is none (nft_meta.c, `nft_meta_store_ifname`).
        IN_INTERFACE,
        OUT_INTERFACE,
        /// The bridge port behind the interface, empty if it is no bridge (xt_physdev).
        IN_BRIDGE_PORT,
        OUT_BRIDGE_PORT,
        MARK,
        /// One of the bits of [Tracking]: what `ct state` compares with.
        STATE,
        /// [#STATE], and whether the connection is translated: what iptables' ctstate compares
        /// with.
        STATE_AND_TRANSLATION,
        /// Bits of [Connection].
        STATUS,
        /// 0 original, 1 reply.
        DIRECTION,
        CONNECTION_MARK,
        CONNECTION_PROTOCOL,
        ORIGINAL_SOURCE_PORT,
        ORIGINAL_DESTINATION_PORT,
        REPLY_SOURCE_PORT,
        REPLY_DESTINATION_PORT,
        /// 1 once IPVS has translated the packet, else 0.
        BALANCED,
        /// The port of the virtual server that the packet was sent to; none before IPVS sees it,
        /// nor for answers.
        VIRTUAL_PORT
    }

    /// An address; a packet of another family has none.
    record Address(Family family, End end) implements Operand {}

    /// Which address.
    enum End {
        SOURCE,
        DESTINATION,
        ORIGINAL_SOURCE,
        ORIGINAL_DESTINATION,
        REPLY_SOURCE,
        REPLY_DESTINATION,
        /// Of the virtual server that the packet was sent to; none before IPVS sees it, nor for
        /// answers.
        VIRTUAL
    }

    /// The kind of address that routing takes it for: nft's `fib … type`, iptables' addrtype. The
    /// value is [Node.AddressType#number].
    record AddressType(End end, Limit limit) implements Operand {}

    /// Whether an address is LOCAL only on one interface.
    enum Limit {
        ANY_INTERFACE,
        IN_INTERFACE,
        OUT_INTERFACE
    }

    record Constant(List<Value> values) implements Operand {
        public Constant {
            values = List.copyOf(values);
        }

        public static Constant of(Value... values) {
            return new Constant(Arrays.asList(values));
        }
    }

    /// `operand & and ^ xor`: nft's bitwise expression, which has `|` in it as well.
    record Masked(Operand operand, Value.Bits and, Value.Bits xor) implements Operand {}

    /// `left ^ right`: what is left of two marks of which each was masked, as CONNMARK mixes them
    /// (xt_connmark.c).
    record Mixed(Operand left, Operand right) implements Operand {}

    /// A number from `offset` on, each of `modulus` equally likely: `numgen random`. The running
    /// number of `numgen inc` is read the same way, as nobody knows where it stands.
    record Random(int modulus, long offset) implements Operand {
        /// What one draw may at most split a packet's path into.
        public static final int LIMIT = 65536;

        public Random {
            if (modulus < 1 || modulus > LIMIT) {
                throw new IllegalArgumentException("a draw of " + modulus + " is not followed");
            }
        }
    }

    /// Values side by side.
    record Concatenation(List<Operand> operands) implements Operand {
        public Concatenation {
            operands = List.copyOf(operands);
        }
    }

    /// The values that a map has for `key`.
    record Lookup(Operand key, SetReference map) implements Operand {}
}
