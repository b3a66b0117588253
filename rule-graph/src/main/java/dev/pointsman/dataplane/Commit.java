package dev.pointsman.dataplane;

import dev.pointsman.graph.ServiceName;
import java.util.SortedSet;

/// How the kernel answered a transaction.
public sealed interface Commit {

    /// Everything is in place.
    record Applied() implements Commit {}

    /// Somebody else holds what we need and will let go; nothing was written.
    record Busy(String who) implements Commit {}

    /// Nothing was written.
    ///
    /// @param what the object that the kernel refused, in the language of its tool
    /// @param why the kernel's reason and what to do about it
    /// @param services whose rules these were; empty when they belong to no Service
    record Refused(String what, String why, SortedSet<ServiceName> services) implements Commit {}

    /// A part was written and the rest was refused: the kernel must be repaired.
    record Torn(String applied, Refused refused) implements Commit {}
}
