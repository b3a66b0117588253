package dev.pointsman.nftables;

import java.util.List;

/// Changes that take effect together or not at all.
record Batch(List<Operation> operations) {
    Batch {
        operations = List.copyOf(operations);
    }
}
