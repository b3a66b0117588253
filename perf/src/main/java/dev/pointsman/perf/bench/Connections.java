package dev.pointsman.perf.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;

/// New connections to one Service at a steady rate, until it is closed.
final class Connections implements AutoCloseable {
    /// @param begun as [System#nanoTime], before anything of it was sent
    /// @param reached nothing when it was lost
    record Attempt(long begun, Optional<Dial.Reached> reached) {}

    private final Dial dial;
    private final Duration every;
    private final List<Attempt> attempts = new ArrayList<>();
    private final CompletableFuture<Void> end;
    private volatile boolean over;

    private Connections(Run run, int service, Duration every) {
        this.dial = run.dial(service);
        this.every = every;
        end =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                Town.call(run.town().client(), this::dialUntilOver);
                            } catch (IOException e) {
                                throw new CompletionException(e);
                            }
                        },
                        task -> Thread.ofPlatform().name("connections").daemon().start(task));
    }

    static Connections begin(Run run, int service, Duration every) {
        return new Connections(run, service, every);
    }

    private boolean dialUntilOver() {
        long next = System.nanoTime();
        while (!over) {
            LockSupport.parkNanos(next - System.nanoTime());
            long begun = System.nanoTime();
            attempts.add(new Attempt(begun, dial.once()));
            // One that hung is not made up for by a burst.
            next = Math.max(next + every.toNanos(), begun);
        }
        return true;
    }

    /// Ends them and gives all there were.
    List<Attempt> end() {
        close();
        return List.copyOf(attempts);
    }

    static long lost(List<Attempt> attempts) {
        return attempts.stream().filter(attempt -> attempt.reached().isEmpty()).count();
    }

    @Override
    public void close() {
        over = true;
        end.join();
    }
}
