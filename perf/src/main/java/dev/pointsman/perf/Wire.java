package dev.pointsman.perf;

import dev.pointsman.dataplane.Transaction;

/// The last two stages on a transaction's way into the kernel, apart from each other.
interface Wire extends AutoCloseable {
    /// Makes what the kernel is sent. Running it sends that, and ends when the kernel has taken it.
    Runnable encode(Transaction transaction);

    @Override
    void close();
}
