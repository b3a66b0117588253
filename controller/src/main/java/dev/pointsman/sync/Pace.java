package dev.pointsman.sync;

import java.time.Duration;

/// How often the kernel is written and looked at.
///
/// @param minSyncPeriod from one commit of changes to the next; zero commits every change at once
/// @param look from one cheap look at the kernel to the next, at least
/// @param audit from one complete comparison with the kernel to the next
public record Pace(Duration minSyncPeriod, Duration look, Duration audit) {
    /// Changes at once, five looks a second, an audit every ten minutes.
    public static final Pace DEFAULT =
            new Pace(Duration.ZERO, Duration.ofMillis(200), Duration.ofMinutes(10));

    public Pace {
        if (minSyncPeriod.isNegative()) {
            throw new IllegalArgumentException("minSyncPeriod " + minSyncPeriod + " is negative");
        }
        if (!look.isPositive() || !audit.isPositive()) {
            throw new IllegalArgumentException(
                    "a look every " + look + " and an audit every " + audit + " never end");
        }
    }

    /// The same with another least time between commits.
    public Pace withMinSyncPeriod(Duration other) {
        return new Pace(other, look, audit);
    }
}
