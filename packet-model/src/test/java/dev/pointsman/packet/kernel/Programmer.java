package dev.pointsman.packet.kernel;

import dev.pointsman.packet.scenario.Sync;

/// Whatever programs a node's kernel for a scenario: a dataplane of ours, or another proxy. All
/// calls come from a thread inside the node's namespace, each from another one.
public interface Programmer {
    /// Brings the kernel to where `sync` leads. [Sync#transitions] has the graphs and deltas,
    /// [Sync#cluster] what they were planned from.
    void program(Sync sync) throws Exception;

    /// Takes everything away again, after the last sync or a failed one, and lets go of the kernel.
    void remove() throws Exception;
}
