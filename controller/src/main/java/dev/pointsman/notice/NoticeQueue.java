package dev.pointsman.notice;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Hands notices from any thread to the one that posts them. Never makes the former wait: of more
/// than it has room for, the first ones stay.
public final class NoticeQueue {
    private static final int ROOM = 256;

    private final BlockingQueue<Notice> queue = new ArrayBlockingQueue<>(ROOM);
    private final AtomicBoolean overflowed = new AtomicBoolean();

    /// An empty one.
    public NoticeQueue() {}

    /// Hands one over, or loses it where there is no room.
    public void add(Notice notice) {
        if (!queue.offer(notice)) {
            overflowed.set(true);
        }
    }

    /// The next one, waited for as long as `patience`.
    public Optional<Notice> next(Duration patience) throws InterruptedException {
        return Optional.ofNullable(queue.poll(patience.toNanos(), TimeUnit.NANOSECONDS));
    }

    /// Whether any was lost since this was asked last.
    public boolean overflowed() {
        return overflowed.getAndSet(false);
    }
}
