package dev.pointsman.packet.netfilter;

import java.util.List;

/// One way that a packet can take.
///
/// @param connection what conntrack made of it, as it was when the path ended
/// @param memory what it leaves behind
public record Path(
        Fraction probability,
        Fate fate,
        Tracking connection,
        Reply reply,
        List<Hop> hops,
        List<Note> notes,
        Memory memory) {

    /// Why a path cannot be trusted.
    ///
    /// @param line where the cause stands in what was read
    public record Note(int line, String text) {}

    /// What becomes of the answer.
    public enum Reply {
        /// It comes through here and is translated back if need be, or needs no translation.
        FINDS_BACK,
        /// It takes another way, though only this node could translate it back: it is lost.
        LOST,
        /// There is nothing to answer to.
        NONE
    }

    public Path {
        hops = List.copyOf(hops);
        notes = List.copyOf(notes);
    }

    // Paths with one fate are few; hashing their hops would cost far more than comparing those.
    @Override
    public int hashCode() {
        return fate.hashCode();
    }

    /// Whether the packet was let through with its own addresses.
    public boolean isUntouched() {
        return (fate instanceof Fate.Received || fate instanceof Fate.Left) && !isTranslated();
    }

    public boolean isTranslated() {
        return connection instanceof Tracking.Tracked(var entry, _)
                        && (entry.has(Connection.DESTINATION_TRANSLATED)
                                || entry.has(Connection.SOURCE_TRANSLATED))
                || isBalanced();
    }

    /// Whether IPVS translated it, of which conntrack's status says nothing.
    private boolean isBalanced() {
        for (Hop hop : hops) {
            if (hop instanceof Hop.Carried
                    || hop instanceof Hop.ByVirtualServer(_, _, _, var choice)
                            && !(choice instanceof Hop.Choice.Nobody)) {
                return true;
            }
        }
        return false;
    }

    Path asLikelyAs(Fraction other) {
        return new Path(other, fate, connection, reply, hops, notes, memory);
    }
}
