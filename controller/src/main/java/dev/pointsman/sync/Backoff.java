package dev.pointsman.sync;

import java.time.Duration;

/// How long to wait before the next attempt: 1 s after the first failure, then twice as long each
/// time, never more than 30 s.
record Backoff(Duration delay) {
    static final Backoff FIRST = new Backoff(Duration.ofSeconds(1));
    private static final Duration LONGEST = Duration.ofSeconds(30);

    Backoff next() {
        Duration doubled = delay.multipliedBy(2);
        return new Backoff(doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled);
    }
}
