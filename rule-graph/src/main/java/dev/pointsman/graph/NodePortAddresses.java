package dev.pointsman.graph;

import java.util.Collections;
import java.util.SortedSet;

/// Which addresses of this node answer on node ports. Loopback addresses are none of these; see
/// [Loopback].
public sealed interface NodePortAddresses {
    /// Whether 127.0.0.0/8 answers on node ports to processes of this node. Only iptables can make
    /// it, and nothing does for `::1`.
    enum Loopback {
        ANSWERS,
        SILENT
    }

    /// Every address of the node.
    record All() implements NodePortAddresses {}

    /// The node's addresses within `ranges`; none at all when there is no range.
    record Within(SortedSet<Cidr> ranges) implements NodePortAddresses {
        public Within {
            ranges = Collections.unmodifiableSortedSet(Cidr.union(ranges));
        }
    }
}
