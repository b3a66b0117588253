package dev.pointsman.graph;

import java.util.List;

/// What becomes of the first packet of a flow from one kind of origin.
public sealed interface Disposition {

    /// It goes to one endpoint of `pool`, each equally likely.
    record Balance(Pool pool, SourceAddress source) implements Disposition {}

    /// It is refused with ICMP port unreachable: nobody can answer, here or elsewhere.
    record Reject() implements Disposition {}

    /// It vanishes: others could answer, but not through this node.
    record Drop() implements Disposition {}

    /// What the endpoint sees as the source. A flow that comes back to its own sender is
    /// masqueraded whatever this says.
    enum SourceAddress {
        KEEP,
        MASQUERADE
    }

    /// The same over the namesake in `pools` of its pool, where there is one.
    default Disposition movedTo(List<Pool> pools) {
        if (this instanceof Balance(Pool mine, var source)) {
            for (Pool pool : pools) {
                if (pool.scope() == mine.scope() && pool.owner().equals(mine.owner())) {
                    return new Balance(pool, source);
                }
            }
        }
        return this;
    }
}
