package dev.pointsman.sync;

import dev.pointsman.netlink.AddressNotices;
import java.time.Duration;
import java.util.function.Consumer;

/// Says when addresses of this network namespace's interfaces change: at once after a rest, and
/// while they keep changing once a second.
public final class AddressWatch implements AutoCloseable {
    private static final Duration REST = Duration.ofSeconds(1);

    private final AddressNotices notices;
    private final Runnable changed;
    private final Consumer<String> log;
    private final Thread thread;

    /// Starts watching the network namespace of the calling thread. `changed` is called on a thread
    /// of its own, one call at a time.
    ///
    /// @param log told on that thread when it ends before it is closed
    public AddressWatch(Runnable changed, Consumer<String> log) {
        this.changed = changed;
        this.log = log;
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
        } catch (RuntimeException e) {
            log.accept(
                    "addresses of this node are not followed any more, so that health-check node"
                            + " ports follow them with the next change of a Service only: "
                            + Unexpected.describe(e));
        }
    }
}
