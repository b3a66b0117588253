package dev.pointsman.graph;

import java.util.Collections;
import java.util.SortedSet;

/// Who may use a Frontend.
public sealed interface Sources {
    record Everyone() implements Sources {}

    /// Packets from anywhere else than `ranges` are dropped.
    ///
    /// Only packets from these ranges.
    ///
    /// @param ranges without overlap
    record Only(SortedSet<Cidr> ranges) implements Sources {
        public Only {
            ranges = Collections.unmodifiableSortedSet(Cidr.union(ranges));
            if (ranges.isEmpty()) {
                throw new IllegalArgumentException(
                        "no source range: a Frontend that nobody may use");
            }
        }
    }
}
