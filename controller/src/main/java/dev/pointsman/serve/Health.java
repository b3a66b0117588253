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
import java.util.Set;
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
    ///
    /// @param lastUpdated when the kernel last held everything
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

    // Those for which the kernel could not be reached, and never was.
    private final Set<Family> unreached = ConcurrentHashMap.newKeySet();
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

    void unreachable(Family family) {
        if (families.get(family) instanceof Progress(_, var updated) && updated.equals(NEVER)) {
            unreached.add(family);
        }
    }

    void settled(Family family) {
        unreached.remove(family);
        families.computeIfPresent(family, (_, _) -> new Progress(NOTHING, clock.instant()));
    }

    /// Whether new connections may be sent to this Node: it has rules, and will not go.
    boolean isNodeEligible() {
        return node.equals(Optional.of(Outlook.STAYS))
                && served().values().stream().noneMatch(p -> p.updated().equals(NEVER));
    }

    /// All families but those that were never reached while another one is in place: a new start
    /// would not reach them either, and would take the other one's health checks with it.
    private Map<Family, Progress> served() {
        Map<Family, Progress> served = new EnumMap<>(families);
        if (served.values().stream().anyMatch(p -> !p.updated().equals(NEVER))) {
            served.keySet().removeAll(unreached);
        }
        return served;
    }

    boolean isHealthy() {
        return verdicts().values().stream().allMatch(Verdict::isHealthy);
    }

    Instant now() {
        return clock.instant();
    }

    /// One for each family that this node is served in.
    SortedMap<Family, Verdict> verdicts() {
        long unread = oldestUnread.getAsLong();
        Map<Family, Verdict> verdicts = new EnumMap<>(Family.class);
        served().forEach(
                        (family, progress) ->
                                verdicts.put(
                                        family,
                                        new Verdict(
                                                progress.updated(),
                                                isLate(Math.min(progress.queued(), unread))
                                                        ? Verdict.State.BEHIND
                                                        : Verdict.State.HEALTHY)));
        return Collections.unmodifiableSortedMap(new TreeMap<>(verdicts));
    }

    private boolean isLate(long since) {
        return since != NOTHING && nanos.getAsLong() - since >= limit.toNanos();
    }
}
