package dev.pointsman.nftables;

import dev.pointsman.graph.ServicePortName;

/// On whose behalf something is in the table, for the message when the kernel refuses it.
sealed interface Subject {
    /// The whole node's, or of several Services at once.
    record Node() implements Subject {}

    record Port(ServicePortName name) implements Subject {}
}
