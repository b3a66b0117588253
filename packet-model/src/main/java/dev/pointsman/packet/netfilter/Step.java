package dev.pointsman.packet.netfilter;

import java.util.List;

/// One part of a rule.
public sealed interface Step {

    /// Lets only some packets go on to the next step.
    sealed interface Match extends Step {}

    /// Acts.
    sealed interface Statement extends Step {}

    /// Whether a match holds as it is written or turned round.
    enum Sense {
        IS,
        IS_NOT
    }

    /// What was not understood, a match or a statement. A packet that gets to it has no trustworthy
    /// path; it goes on as if the rule did not match.
    record Unknown(String text) implements Step {}

    /// The operand is in the set.
    record In(Operand operand, Sense sense, SetReference set) implements Match {
        public static In of(Operand operand, Value value) {
            return new In(operand, Sense.IS, new SetReference.Anonymous(Elements.of(value)));
        }

        public static In of(Operand operand, Sense sense, Range... ranges) {
            return new In(operand, sense, new SetReference.Anonymous(Elements.of(ranges)));
        }
    }

    /// At least one of the bits is set in the operand, or none of them is: `ct state new,related`.
    record AnyBit(Operand operand, Sense sense, long bits) implements Match {}

    /// Holds for this share of packets: `-m statistic --mode random`.
    record Chance(Fraction share) implements Match {}

    /// iptables' `recent` (xt_recent.c), which also writes.
    ///
    /// @param list its name, shared by all rules of the family
    /// @param key whose address is kept, a packet's
    /// @param seconds only stamps not older count; 0 for all
    /// @param hits how many stamps must count, at least 1
    record Recent(String list, Operand key, Recall recall, Sense sense, int seconds, int hits)
            implements Match {}

    /// What [Recent] does.
    enum Recall {
        /// Keeps the address and holds.
        SET,
        /// Looks.
        CHECK,
        /// Looks, and stamps the address again if it holds.
        UPDATE,
        /// Looks, and forgets the address if it holds.
        REMOVE
    }

    record Take(Verdict verdict) implements Statement {}

    /// The verdict that a map has for `key`; none, and the rule ends.
    record Choose(Operand key, SetReference map) implements Statement {}

    /// Sets a mark: `meta mark set`, `-j MARK`, `-j CONNMARK`.
    record Assign(Mark mark, Operand value) implements Statement {}

    enum Mark {
        PACKET,
        CONNECTION
    }

    /// Binds the connection to other addresses; ends the base chain.
    ///
    /// @param to gives one value for each of `parts`
    /// @param parts what is given; the rest stays. Nothing for a masquerade
    /// @param ports how a port is chosen that is not given
    record Translate(Kind kind, Operand to, List<Part> parts, Ports ports) implements Statement {
        public Translate {
            parts = List.copyOf(parts);
        }
    }

    enum Ports {
        /// The one that was there, if it is free.
        KEPT,
        /// Another one, which the model does not follow: no rule of its time sees it but by the
        /// status of the connection.
        RANDOM
    }

    enum Kind {
        DNAT,
        SNAT,
        /// To the address of the interface it leaves by.
        MASQUERADE,
        /// To this node.
        REDIRECT
    }

    enum Part {
        ADDRESS,
        PORT
    }

    /// Writes a set or map of the table (nft_dynset.c).
    ///
    /// @param value none for a set
    /// @param timeout in milliseconds; 0 for the set's own
    record Update(String set, Change change, Operand key, Operand value, long timeout)
            implements Statement {}

    enum Change {
        /// Unless it is there.
        ADD,
        /// Or, if it is there, lets it live anew.
        REFRESH,
        DELETE
    }

    /// Hides the packet from conntrack: `notrack`.
    record Untrack() implements Statement {}
}
