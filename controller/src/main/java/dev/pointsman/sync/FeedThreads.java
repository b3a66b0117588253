package dev.pointsman.sync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/// Gives every task a thread of its own, for tasks that last until they are interrupted.
public final class FeedThreads implements Executor, AutoCloseable {
    private final List<Thread> threads = new ArrayList<>();

    /// For threads that never keep the process from ending.
    public FeedThreads() {}

    @Override
    public void execute(Runnable task) {
        Thread thread = Thread.ofPlatform().daemon().name("feed-" + threads.size()).unstarted(task);
        threads.add(thread);
        thread.start();
    }

    /// Lets the calling task wait.
    public void sleep(Duration duration) throws InterruptedException {
        Thread.sleep(duration);
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
