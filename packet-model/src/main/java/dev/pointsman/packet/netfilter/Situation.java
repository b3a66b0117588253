package dev.pointsman.packet.netfilter;

/// A packet at one point of one of its possible ways.
///
/// @param in the interface it came in by
/// @param out the interface it is to leave by, as far as rules may look at it
record Situation(
        Fraction probability,
        Packet packet,
        int mark,
        Device in,
        Device out,
        Tracking tracking,
        Balanced balanced,
        Memory memory,
        Trail<Hop> hops,
        Trail<Path.Note> notes) {

    /// @param name empty for none
    /// @param port the bridge port behind it, empty for none
    record Device(String name, String port) {
        static final Device NONE = new Device("", "");

        static Device of(String name) {
            return new Device(name, "");
        }
    }

    /// Whether the packet is the first of its connection, in the eyes of rules before conntrack and
    /// of those that see what is untracked, too.
    boolean opens() {
        return switch (tracking) {
            case Tracking.Tracked _ -> tracking.state() == Tracking.NEW_BIT;
            case Tracking.Unseen _, Tracking.Untracked _, Tracking.Invalid _ ->
                    memory.connection(packet)
                            .map(
                                    known ->
                                            known.original().equals(packet)
                                                    && !known.has(Connection.SEEN_REPLY))
                            .orElse(true);
        };
    }

    Situation less(Fraction share) {
        return new Situation(
                probability.times(share),
                packet,
                mark,
                in,
                out,
                tracking,
                balanced,
                memory,
                hops,
                notes);
    }

    Situation asLikelyAs(Fraction other) {
        return new Situation(other, packet, mark, in, out, tracking, balanced, memory, hops, notes);
    }

    Situation with(Packet changed) {
        return new Situation(
                probability, changed, mark, in, out, tracking, balanced, memory, hops, notes);
    }

    Situation marked(int changed) {
        return new Situation(
                probability, packet, changed, in, out, tracking, balanced, memory, hops, notes);
    }

    Situation between(Device from, Device to) {
        return new Situation(
                probability, packet, mark, from, to, tracking, balanced, memory, hops, notes);
    }

    Situation with(Tracking changed) {
        return new Situation(
                probability, packet, mark, in, out, changed, balanced, memory, hops, notes);
    }

    Situation with(Balanced changed) {
        return new Situation(
                probability, packet, mark, in, out, tracking, changed, memory, hops, notes);
    }

    Situation with(Memory changed) {
        return new Situation(
                probability, packet, mark, in, out, tracking, balanced, changed, hops, notes);
    }

    Situation after(Hop hop) {
        return new Situation(
                probability,
                packet,
                mark,
                in,
                out,
                tracking,
                balanced,
                memory,
                hops.and(hop),
                notes);
    }

    Situation doubting(int line, String text) {
        return new Situation(
                probability,
                packet,
                mark,
                in,
                out,
                tracking,
                balanced,
                memory,
                hops,
                notes.and(new Path.Note(line, text)));
    }
}
