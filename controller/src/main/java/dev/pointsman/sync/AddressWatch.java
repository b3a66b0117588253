package dev.pointsman.sync;

import dev.pointsman.netlink.AddressNotices;
import java.time.Duration;

/// Says when addresses of this network namespace's interfaces change: at once after a rest, and
/// while they keep changing once a second.
public final class AddressWatch implements AutoCloseable {
    private static final Duration REST = Duration.ofSeconds(1);

    private final AddressNotices notices;
    private final Runnable changed;
    private final Thread thread;

    /// Starts watching the network namespace of the calling thread. `changed` is called on a thread
    /// of its own, one call at a time.
    public AddressWatch(Runnable changed) {
        this.changed = changed;
        notices = AddressNotices.open();
        thread = Thread.ofPlatform().daemon().name("address-watch").unstarted(this::watch);
        thread.start();
    }

    /// Ends the watch; the thread notices within seconds.
    @Override
    public void close() {
        thread.interrupt();
    }

    private void watch() {
        try (notices) {
            while (!Thread.currentThread().isInterrupted()) {
                if (notices.await()) {
                    changed.run();
                    Thread.sleep(REST);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
