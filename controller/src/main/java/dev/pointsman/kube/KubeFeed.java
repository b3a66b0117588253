package dev.pointsman.kube;

import dev.pointsman.store.ClusterListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
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
        // Rules are written when these are known. ServiceCIDRs only refine them, and older servers
        // have none.
        List<Resource> needed =
                List.of(Resource.services(), Resource.endpointSlices(), Resource.node(node));
        AtomicInteger unlisted = new AtomicInteger(needed.size());
        Runnable listed =
                () -> {
                    if (unlisted.decrementAndGet() == 0) {
                        listener.synced();
                    }
                };
        BiFunction<Resource, Runnable, ResourceFeed> feed =
                (resource, whenListed) ->
                        new ResourceFeed(
                                server,
                                resource,
                                listener,
                                whenListed,
                                new Backoff(jitter, sleeper));
        List<ResourceFeed> all = new ArrayList<>();
        needed.forEach(resource -> all.add(feed.apply(resource, listed)));
        all.add(feed.apply(Resource.serviceCidrs(), () -> {}));
        feeds = List.copyOf(all);
    }

    /// Begins, with a task for each kind of object that needs a thread until it is interrupted.
    public void start(Executor threads) {
        feeds.forEach(threads::execute);
    }
}
