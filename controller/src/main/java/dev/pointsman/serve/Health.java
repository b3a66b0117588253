package dev.pointsman.serve;

import dev.pointsman.graph.Family;
import dev.pointsman.store.Outlook;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/// Whether the kernel keeps up with the cluster, and whether the Node is to get traffic (behaviour
/// document 6.1). Written on the loop's thread, read on any.
///
/// A family is well unless something has been queued for longer than a limit: one that has nothing
/// to do is well.
final class Health {
    /// Go's zero time, by which kube-proxy says that it never was.
    private static final Instant NEVER = Instant.parse("0001-01-01T00:00:00Z");

    private static final long NOTHING = Long.MAX_VALUE;

    /// @param queued since when, on the loop's clock
    /// @param updated when the kernel last held everything
    private record Progress(long queued, Instant updated) {}

    /// What is said of a family.
    record Verdict(Instant lastUpdated, Verdict.State state) {
        enum State {
            HEALTHY,
            BEHIND
        }

        boolean isHealthy() {
            return state == State.HEALTHY;
        }
    }

    private final Map<Family, Progress> families = new ConcurrentHashMap<>();
    private final Duration limit;
    private final LongSupplier nanos;
    private final InstantSource clock;
    private final LongSupplier oldestUnread;
    private volatile Optional<Outlook> node = Optional.empty();

    /// @param families that are programmed
    /// @param limit how long something may be queued
    /// @param nanos the loop's clock
    /// @param oldestUnread since when facts wait that the loop has not got to, [Long#MAX_VALUE] if
    ///   there are none
    Health(
            Collection<Family> families,
            Duration limit,
            LongSupplier nanos,
            InstantSource clock,
            LongSupplier oldestUnread) {
        this.limit = limit;
        this.nanos = nanos;
        this.clock = clock;
        this.oldestUnread = oldestUnread;
        families.forEach(family -> this.families.put(family, new Progress(NOTHING, NEVER)));
    }

    void node(Outlook outlook) {
        node = Optional.of(outlook);
    }

    void queued(Family family, long since) {
        families.computeIfPresent(
                family,
                (_, known) -> new Progress(Math.min(known.queued(), since), known.updated()));
    }

    void settled(Family family) {
        families.computeIfPresent(family, (_, _) -> new Progress(NOTHING, clock.instant()));
    }

    /// Whether new connections may be sent to this Node: it has rules, and will not go.
    boolean isNodeEligible() {
        return node.equals(Optional.of(Outlook.STAYS))
                && families.values().stream().noneMatch(p -> p.updated().equals(NEVER));
    }

    boolean isHealthy() {
        return verdicts().values().stream().allMatch(Verdict::isHealthy);
    }

    Instant now() {
        return clock.instant();
    }

    /// One for each family.
    SortedMap<Family, Verdict> verdicts() {
        long unread = oldestUnread.getAsLong();
        Map<Family, Verdict> verdicts = new EnumMap<>(Family.class);
        families.forEach(
                (family, progress) ->
                        verdicts.put(
                                family,
                                isLate(Math.min(progress.queued(), unread))
                                        ? new Verdict(progress.updated(), Verdict.State.BEHIND)
                                        : new Verdict(now(), Verdict.State.HEALTHY)));
        return Collections.unmodifiableSortedMap(new TreeMap<>(verdicts));
    }

    private boolean isLate(long since) {
        return since != NOTHING && nanos.getAsLong() - since >= limit.toNanos();
    }
}
