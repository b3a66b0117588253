package dev.pointsman.packet.netfilter;

/// An entry of the conntrack table. Both tuples together are the NAT binding: the reply tuple is
/// what an answer looks like when it comes in, before it is translated back.
///
/// @param original as the first packet was sent
/// @param status bits as in `enum ip_conntrack_status` (nf_conntrack_common.h)
/// @param until when it is forgotten, on the clock of [Memory]
public record Connection(Packet original, Packet reply, int status, int mark, long until) {
    public static final int EXPECTED = 1;
    public static final int SEEN_REPLY = 1 << 1;
    public static final int ASSURED = 1 << 2;
    public static final int CONFIRMED = 1 << 3;
    public static final int SOURCE_TRANSLATED = 1 << 4;
    public static final int DESTINATION_TRANSLATED = 1 << 5;
    static final int SOURCE_DECIDED = 1 << 7;
    static final int DESTINATION_DECIDED = 1 << 8;

    /// An entry that conntrack lists. Its translations are decided: what was never answered is not
    /// translated again.
    ///
    /// @param seen [#SEEN_REPLY], [#ASSURED] or both, as far as they are known
    public static Connection listed(Packet original, Packet reply, int seen, int mark, long until) {
        int status = seen | CONFIRMED | SOURCE_DECIDED | DESTINATION_DECIDED;
        Packet untranslated = original.answer();
        if (!reply.destination().equals(untranslated.destination())
                || reply.destinationPort() != untranslated.destinationPort()) {
            status |= SOURCE_TRANSLATED;
        }
        if (!reply.source().equals(untranslated.source())
                || reply.sourcePort() != untranslated.sourcePort()) {
            status |= DESTINATION_TRANSLATED;
        }
        return new Connection(original, reply, status, mark, until);
    }

    static Connection begunBy(Packet packet) {
        return new Connection(packet, packet.answer(), 0, 0, Element.FOREVER);
    }

    boolean has(int bits) {
        return (status & bits) == bits;
    }

    Connection with(int bits) {
        return new Connection(original, reply, status | bits, mark, until);
    }

    Connection marked(int newMark) {
        return new Connection(original, reply, status, newMark, until);
    }

    Connection answeredAs(Packet newReply) {
        return new Connection(original, newReply, status, mark, until);
    }

    /// How it will be kept, one of its packets having come through at `now`. The times are the
    /// kernel's defaults (nf_conntrack_proto_*.c); they differ by whether an answer was seen.
    Connection seen(long now) {
        boolean answered = has(SEEN_REPLY);
        long seconds =
                switch (original.transport().protocol()) {
                    case Transport.TCP -> answered ? 432_000 : 120;
                    case Transport.UDP -> answered ? 120 : 30;
                    case Transport.SCTP -> answered ? 210 : 3;
                    case Transport.ICMP, Transport.ICMPV6 -> 30;
                    default -> 600;
                };
        return new Connection(original, reply, status | CONFIRMED, mark, now + seconds * 1000);
    }
}
