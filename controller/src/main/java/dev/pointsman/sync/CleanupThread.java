package dev.pointsman.sync;

import dev.pointsman.conntrack.FlowCleanup;
import dev.pointsman.graph.ExpectedFlows;
import dev.pointsman.graph.Family;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Cleans up flows beside the loop: a table of a million entries takes a second, which no commit
/// waits for. Of what waits, the latest of each family counts. A clean-up that fails is done again.
///
/// The thread starts with the first expectation, in the network namespace of who hands it over.
final class CleanupThread {
    private sealed interface Task {
        record Expect(ExpectedFlows flows) implements Task {}

        record End() implements Task {}
    }

    private final FlowCleanup cleanup;
    private final LongSupplier nanos;
    private final Consumer<SyncReport> reports;
    private final BlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
    private Optional<Thread> thread = Optional.empty();

    // Of the thread alone.
    private final Map<Family, ExpectedFlows> waiting = new EnumMap<>(Family.class);
    private final Map<Family, String> said = new EnumMap<>(Family.class);
    private Optional<Backoff> failing = Optional.empty();
    private boolean ended;

    /// @param reports called on the thread of its own
    CleanupThread(FlowCleanup cleanup, LongSupplier nanos, Consumer<SyncReport> reports) {
        this.cleanup = cleanup;
        this.nanos = nanos;
        this.reports = reports;
    }

    /// Hands over what the kernel holds the rules for.
    void expect(ExpectedFlows flows) {
        tasks.add(new Task.Expect(flows));
        if (thread.isEmpty()) {
            Thread started =
                    Thread.ofPlatform().daemon().name("flow-cleanup").unstarted(this::work);
            thread = Optional.of(started);
            started.start();
        }
    }

    /// Waits until everything handed over was tried, but no longer than `patience`.
    void finish(Duration patience) throws InterruptedException {
        tasks.add(new Task.End());
        if (thread.isPresent()) {
            thread.get().join(patience);
        }
    }

    private void work() {
        try {
            while (!ended) {
                await();
                cleanUp();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits for something to do.
    private void await() throws InterruptedException {
        List<Task> news = new ArrayList<>();
        Task first =
                failing.isPresent()
                        ? tasks.poll(failing.get().delay().toNanos(), TimeUnit.NANOSECONDS)
                        : tasks.take();
        if (first != null) {
            news.add(first);
        }
        tasks.drainTo(news);
        for (Task task : news) {
            switch (task) {
                case Task.Expect(var flows) ->
                        waiting.merge(flows.family(), flows, (before, now) -> now.after(before));
                case Task.End _ -> ended = true;
            }
        }
    }

    private void cleanUp() {
        Backoff next = failing.map(Backoff::next).orElse(Backoff.FIRST);
        waiting.entrySet().removeIf(each -> clean(each.getValue(), next));
        failing = waiting.isEmpty() ? Optional.empty() : Optional.of(next);
    }

    /// Whether it is done.
    private boolean clean(ExpectedFlows flows, Backoff next) {
        long start = nanos.getAsLong();
        FlowCleanup.Result result;
        try {
            result = cleanup.clean(flows);
        } catch (RuntimeException e) {
            result = new FlowCleanup.Result.Failed(Unexpected.describe(e));
        }
        Duration took = Duration.ofNanos(nanos.getAsLong() - start);
        return switch (result) {
            case FlowCleanup.Result.Cleaned cleaned -> {
                said.remove(flows.family());
                reports.accept(new SyncReport.FlowsCleaned(flows.family(), cleaned, took));
                yield true;
            }
            case FlowCleanup.Result.Failed(var reason) -> {
                // A kernel without ctnetlink would say the same every half minute.
                if (!reason.equals(said.put(flows.family(), reason))) {
                    reports.accept(
                            new SyncReport.CleanupFailed(flows.family(), reason, next.delay()));
                }
                yield false;
            }
        };
    }
}
