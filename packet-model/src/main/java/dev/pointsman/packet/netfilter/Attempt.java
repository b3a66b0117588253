package dev.pointsman.packet.netfilter;

import java.util.ArrayList;
import java.util.List;

/// A packet within a rule.
///
/// @param before as it came to the rule
record Attempt(
        Situation situation, Packet before, List<Hop.Found> found, List<Hop.Change> changes) {

    static Attempt at(Situation situation) {
        return new Attempt(situation, situation.packet(), List.of(), List.of());
    }

    Attempt at(Situation changed, List<Hop.Found> more) {
        if (more.isEmpty()) {
            return new Attempt(changed, before, found, changes);
        }
        List<Hop.Found> both = new ArrayList<>(found);
        both.addAll(more);
        return new Attempt(changed, before, both, changes);
    }

    Attempt after(Situation changed, Hop.Change change) {
        List<Hop.Change> more = new ArrayList<>(changes);
        more.add(change);
        return new Attempt(changed, before, found, more);
    }
}
