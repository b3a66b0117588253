package dev.pointsman.kube;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// Waits between attempts: 1 s doubling to 30 s, each shortened by up to a half, so that the nodes
/// of a cluster do not all come back at once.
///
/// Owned by one thread.
final class Backoff {
    private static final int FIRST_MILLIS = 1000;
    private static final int LONGEST_MILLIS = 30_000;

    private final RandomGenerator jitter;
    private final KubeFeed.Sleeper sleeper;
    private int millis = FIRST_MILLIS;

    Backoff(RandomGenerator jitter, KubeFeed.Sleeper sleeper) {
        this.jitter = jitter;
        this.sleeper = sleeper;
    }

    void reset() {
        millis = FIRST_MILLIS;
    }

    /// @param atLeast what the server asks for; heeded up to the longest wait
    void await(Duration atLeast) throws InterruptedException {
        long asked = Math.min(atLeast.toMillis(), LONGEST_MILLIS);
        sleeper.sleep(Duration.ofMillis(Math.max(asked, jitter.nextLong(millis / 2, millis + 1))));
        millis = Math.min(2 * millis, LONGEST_MILLIS);
    }

    /// Waits for something that is not going to happen soon.
    void rest() throws InterruptedException {
        sleeper.sleep(Duration.ofSeconds(watchSeconds()));
    }

    /// How long to ask a server to keep a watch open: 5 to 10 minutes.
    int watchSeconds() {
        return jitter.nextInt(300, 601);
    }
}
