package dev.pointsman.graph;

import java.util.Collections;
import java.util.SortedSet;

/// Which addresses of this node answer on node ports. Loopback addresses never do in nftables and
/// IPVS.
public sealed interface NodePortAddresses {
    /// Every address of the node.
    record All() implements NodePortAddresses {}

    /// The node's addresses within `ranges`; none at all when there is no range.
    record Within(SortedSet<Cidr> ranges) implements NodePortAddresses {
        public Within {
            ranges = Collections.unmodifiableSortedSet(Cidr.union(ranges));
        }
    }
}
