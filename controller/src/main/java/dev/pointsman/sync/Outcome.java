package dev.pointsman.sync;

import dev.pointsman.graph.ServiceName;
import java.util.Collections;
import java.util.SortedSet;

/// How far the kernel is.
public sealed interface Outcome {
    /// Nothing was tried: the cluster is not completely listed, or this machine's Node not known.
    record Waiting() implements Outcome {}

    /// Every family is in place, but for the Services set aside.
    record InPlace(SortedSet<ServiceName> setAside) implements Outcome {
        public InPlace {
            setAside = Collections.unmodifiableSortedSet(setAside);
        }
    }

    /// Some family failed and will be tried again.
    record Failing() implements Outcome {}
}
