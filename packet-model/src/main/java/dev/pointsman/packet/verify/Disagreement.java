package dev.pointsman.packet.verify;

import dev.pointsman.packet.Flow;

/// A flow that rules treat otherwise than they must.
///
/// @param witness one of a class of flows that all fare alike
/// @param object whose rules these are: a Service port, or what else the destination is
/// @param when empty for a first packet; else what came before it
public record Disagreement(Flow witness, String object, String when, Shares expected, Shares found)
        implements Comparable<Disagreement> {
    @Override
    public int compareTo(Disagreement other) {
        int order = object.compareTo(other.object);
        order = order != 0 ? order : witness.toString().compareTo(other.witness.toString());
        return order != 0 ? order : when.compareTo(other.when);
    }
}
