package dev.pointsman.iptables;

import dev.pointsman.graph.ServiceName;

/// On whose behalf a line is written, for the message when the kernel refuses it.
public sealed interface Subject {
    /// The whole node's, or of several Services at once.
    record Node() implements Subject {}

    record Service(ServiceName name) implements Subject {}
}
