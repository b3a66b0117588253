package dev.pointsman.kube;

import dev.pointsman.store.ClusterListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/// Tells a listener what an API server says, from the first list on for ever.
///
/// Lost connections are taken up again and compared with a fresh list, so that an object deleted in
/// the gap is told as gone; until then everything stays as it is. Keeps the names of the objects it
/// has told, and nothing else of them.
public final class KubeFeed {
    /// Lets time pass.
    public interface Sleeper {
        void sleep(Duration duration) throws InterruptedException;
    }

    private final List<ResourceFeed> feeds;

    /// @param node name of the Node to watch
    /// @param jitter spreads the attempts of many nodes
    public KubeFeed(
            ApiServer server,
            String node,
            ClusterListener listener,
            RandomGenerator jitter,
            Sleeper sleeper) {
        AtomicInteger unlisted = new AtomicInteger(3);
        Runnable listed =
                () -> {
                    if (unlisted.decrementAndGet() == 0) {
                        listener.synced();
                    }
                };
        feeds =
                List.of(
                        new ResourceFeed(
                                server,
                                Resource.services(),
                                listener,
                                listed,
                                new Backoff(jitter, sleeper)),
                        new ResourceFeed(
                                server,
                                Resource.endpointSlices(),
                                listener,
                                listed,
                                new Backoff(jitter, sleeper)),
                        new ResourceFeed(
                                server,
                                Resource.node(node),
                                listener,
                                listed,
                                new Backoff(jitter, sleeper)),
                        new ResourceFeed(
                                server,
                                Resource.serviceCidrs(),
                                listener,
                                () -> {},
                                new Backoff(jitter, sleeper)));
    }

    /// Begins, with four tasks that each need a thread until it is interrupted.
    public void start(Executor threads) {
        feeds.forEach(threads::execute);
    }
}
