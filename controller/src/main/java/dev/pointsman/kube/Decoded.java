package dev.pointsman.kube;

import dev.pointsman.store.ClusterEvent;

/// What one object comes to.
sealed interface Decoded {
    /// The object counts.
    record Seen(ClusterEvent event) implements Decoded {}

    /// The object does not count, or no longer.
    record Gone(ClusterEvent event) implements Decoded {}

    record OfPod(Pod pod) implements Decoded {}

    /// The object has no usable name, or is of no interest: nothing can be said about it.
    record Nothing() implements Decoded {}
}
