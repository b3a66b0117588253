package dev.pointsman.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.ClusterListener;
import dev.pointsman.store.Finding;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A listener that a test can question.
final class Told implements ClusterListener {
    private static final int PATIENCE_SECONDS = 30;

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final BlockingQueue<Finding> unseen = new LinkedBlockingQueue<>();
    private final List<String> gone = new CopyOnWriteArrayList<>();
    private final List<Finding> findings = new CopyOnWriteArrayList<>();

    @Override
    public void event(ClusterEvent event) {
        String text =
                switch (event) {
                    case ClusterEvent.ServiceSeen(var service) -> "+ " + service.name();
                    case ClusterEvent.ServiceGone(var name) -> "- " + name;
                    case ClusterEvent.SliceSeen(var slice, _) ->
                            "+ slice " + slice.name() + " " + slice.entries().size();
                    case ClusterEvent.SliceGone(_, var name) -> "- slice " + name;
                    case ClusterEvent.NodeSeen(var node, _) -> "+ node " + node.name();
                    case ClusterEvent.NodeGone(var name) -> "- node " + name;
                    case ClusterEvent.ServiceRangesSeen(var name, var ranges) ->
                            "+ ranges " + name + " " + ranges;
                    case ClusterEvent.ServiceRangesGone(var name) -> "- ranges " + name;
                };
        if (text.startsWith("-")) {
            gone.add(text);
        }
        events.add(text);
    }

    @Override
    public void finding(Finding finding) {
        findings.add(finding);
        unseen.add(finding);
    }

    @Override
    public void synced() {
        events.add("synced");
    }

    /// The next event, of whatever kind.
    String next() throws InterruptedException {
        String event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(event).as("event within %d s", PATIENCE_SECONDS).isNotNull();
        return String.valueOf(event);
    }

    /// Passes over events until `event` comes.
    void until(String event) throws InterruptedException {
        String next = next();
        while (!next.equals(event)) {
            next = next();
        }
    }

    /// Passes over events until each of `awaited` has come, in any order.
    void untilAll(String... awaited) throws InterruptedException {
        Set<String> missing = new HashSet<>(List.of(awaited));
        while (!missing.isEmpty()) {
            missing.remove(next());
        }
    }

    Finding nextFinding() throws InterruptedException {
        Finding finding = unseen.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(finding).as("finding within %d s", PATIENCE_SECONDS).isNotNull();
        return Objects.requireNonNull(finding);
    }

    List<Finding> findings() {
        return findings;
    }

    /// All that was ever told to be gone.
    List<String> gone() {
        return gone;
    }

    List<String> untold() {
        return List.copyOf(events);
    }
}
