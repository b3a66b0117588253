package dev.pointsman.perf.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/// How somebody waits for what tells nobody when it happens: a kernel's rules, another process.
///
/// @param look how long between two looks, and so how exact
/// @param bound how long at most
record Patience(Duration look, Duration bound) {
    @FunctionalInterface
    interface Condition {
        boolean holds() throws IOException;
    }

    /// When it was first seen to hold, as [System#nanoTime]; nothing when it did not in time.
    OptionalLong until(Condition condition) throws IOException {
        long deadline = System.nanoTime() + bound.toNanos();
        while (System.nanoTime() < deadline) {
            if (condition.holds()) {
                return OptionalLong.of(System.nanoTime());
            }
            LockSupport.parkNanos(look.toNanos());
        }
        return OptionalLong.empty();
    }
}
