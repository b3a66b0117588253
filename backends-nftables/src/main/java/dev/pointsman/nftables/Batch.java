package dev.pointsman.nftables;

import java.util.List;

/// Changes that take effect together or not at all.
///
/// @param start what must have happened before, beyond the batches before it
record Batch(Start start, List<Operation> operations) {

    /// When a batch may be sent.
    enum Start {
        /// Once the batch before it is in effect.
        AT_ONCE,
        /// Once, in addition, no packet is under way any more that has seen the table without the
        /// batch before it.
        AFTER_PACKETS
    }

    Batch {
        operations = List.copyOf(operations);
    }
}
