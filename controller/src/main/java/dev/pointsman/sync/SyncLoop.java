package dev.pointsman.sync;

import dev.pointsman.conntrack.FlowCleanup;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Settings;
import dev.pointsman.store.ClusterEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/// Takes events from any thread and keeps the kernel in step with them on one: the thread that
/// calls [#run], whose network namespace it is that gets programmed.
///
/// Nothing is written before Services and slices are completely listed and this machine's Node is
/// known; the first event after a rest is committed at once, and whatever arrived meanwhile goes
/// into the next commit together. When the loop ends, rules stay.
public final class SyncLoop implements AutoCloseable {
    private sealed interface Signal {
        record Arrived(List<ClusterEvent> events, long nanos) implements Signal {}

        record Listed() implements Signal {}

        record Reconfigured(Settings settings, Pace pace, long nanos) implements Signal {}

        record Told(SyncReport report) implements Signal {}

        record Stop() implements Signal {}
    }

    /// A million flows take a second. Whoever ends the process waits for it as well.
    private static final Duration LAST_CLEANUP = Duration.ofSeconds(10);

    private final Sync sync;
    private final CleanupThread cleanup;
    private final Consumer<SyncReport> reports;
    private final LongSupplier nanos;
    private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
    private boolean stopped;

    /// @param node name of this machine's Node
    /// @param dataplanes one for each family to program; closed with the loop
    /// @param cleanup called on a thread of its own, after commits and one call at a time
    /// @param nanos a clock that only goes forward
    /// @param reports called on the loop's thread
    /// @param notes called on the loop's thread
    public SyncLoop(
            String node,
            Settings settings,
            Pace pace,
            SortedMap<Family, Dataplane> dataplanes,
            FlowCleanup cleanup,
            LongSupplier nanos,
            Consumer<SyncReport> reports,
            Consumer<SyncNote> notes) {
        this.nanos = nanos;
        this.reports = reports;
        this.cleanup =
                new CleanupThread(cleanup, nanos, report -> signals.add(new Signal.Told(report)));
        sync =
                new Sync(
                        node,
                        settings,
                        pace,
                        dataplanes,
                        nanos,
                        this.cleanup::expect,
                        reports,
                        notes);
    }

    /// Hands over facts, from any thread. Those of one call get into the kernel together.
    public void take(List<ClusterEvent> events) {
        signals.add(new Signal.Arrived(List.copyOf(events), nanos.getAsLong()));
    }

    /// All Services and all EndpointSlices that exist were handed over.
    public void listed() {
        signals.add(new Signal.Listed());
    }

    /// Goes on with other settings and another pace, from any thread.
    public void reconfigure(Settings settings, Pace pace) {
        signals.add(new Signal.Reconfigured(settings, pace, nanos.getAsLong()));
    }

    /// Ends [#run], from any thread.
    public void stop() {
        signals.add(new Signal.Stop());
    }

    /// Works until [#stop], or until the outcome of a step is `enough`. Can be called again then,
    /// and goes on with whatever arrived meanwhile.
    public Outcome run(Predicate<Outcome> enough) throws InterruptedException {
        List<Signal> burst = new ArrayList<>();
        long due = sync.step();
        while (!stopped && !enough.test(sync.outcome())) {
            Signal first =
                    due == Long.MAX_VALUE
                            ? signals.take()
                            : signals.poll(due - nanos.getAsLong(), TimeUnit.NANOSECONDS);
            if (first != null) {
                burst.add(first);
                signals.drainTo(burst);
            }
            burst.forEach(this::handle);
            burst.clear();
            if (!stopped) {
                due = sync.step();
            }
        }
        return sync.outcome();
    }

    /// Waits for the last clean-up, and reports it; nothing runs after it.
    public void finish() throws InterruptedException {
        cleanup.finish(LAST_CLEANUP);
        List<Signal> left = new ArrayList<>();
        signals.drainTo(left);
        for (Signal signal : left) {
            if (signal instanceof Signal.Told(var report)) {
                reports.accept(report);
            }
        }
    }

    /// When the oldest facts arrived that the loop has not got to yet, [Long#MAX_VALUE] if there
    /// are none; on the loop's clock and from any thread.
    public long oldestUnread() {
        return signals.peek() instanceof Signal.Arrived(_, long at) ? at : Long.MAX_VALUE;
    }

    /// What the loop measured.
    public Stages stages() {
        return sync.stages();
    }

    @Override
    public void close() {
        sync.close();
    }

    private void handle(Signal signal) {
        switch (signal) {
            case Signal.Arrived(var events, long at) -> events.forEach(e -> sync.take(e, at));
            case Signal.Listed _ -> sync.listed();
            case Signal.Reconfigured(var settings, var pace, long at) ->
                    sync.reconfigure(settings, pace, at);
            case Signal.Told(var report) -> reports.accept(report);
            case Signal.Stop _ -> stopped = true;
        }
    }
}
