package dev.pointsman.sync;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Change;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.Treatment;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// A kernel that holds a graph instead of rules. It refuses transactions that do not start from
/// what it holds, as a real one does, and whatever else a test asks it to.
public final class InMemoryKernel implements Dataplane {
    /// What is wrong with it, if anything.
    public enum Mood {
        WELL,
        BUSY,
        REFUSING_EVERYTHING,
        TEARING,
        UNREACHABLE,
        BROKEN
    }

    private final Family family;
    private final SortedSet<ServiceName> refused = new TreeSet<>();
    private Mood mood = Mood.WELL;
    private RuleGraph held;
    private RuleGraph committed;
    private int commits;
    private int attempts;
    private int reads;
    private int looks;
    private Runnable look = () -> {};
    private Runnable read = () -> {};
    private boolean disturbed;
    private boolean prepared;

    public InMemoryKernel(Family family) {
        this.family = family;
        held = RuleGraph.nothing(family);
        committed = held;
    }

    public RuleGraph held() {
        return held;
    }

    /// Transactions that were applied.
    public int commits() {
        return commits;
    }

    /// Transactions that were tried.
    public int attempts() {
        return attempts;
    }

    /// How often its whole content was read.
    public int reads() {
        return reads;
    }

    /// How often it was looked at.
    public int looks() {
        return looks;
    }

    /// From now on, `happens` happens whenever somebody looks at it.
    public void onLook(Runnable happens) {
        look = happens;
    }

    /// From now on, `happens` happens whenever somebody has read it.
    public void onRead(Runnable happens) {
        read = happens;
    }

    public void is(Mood other) {
        mood = other;
    }

    public void refuses(ServiceName name) {
        refused.add(name);
    }

    public void accepts(ServiceName name) {
        refused.remove(name);
    }

    /// Somebody else removes all rules.
    public void losesEverything() {
        held = RuleGraph.nothing(family);
    }

    /// Somebody else removes one Frontend, which a cheap look does not show.
    public void loses(Frontend frontend) {
        held = held.without(frontend);
    }

    /// Somebody else changes something, not necessarily ours.
    public void getsDisturbed() {
        disturbed = true;
    }

    private record Written(RuleGraph from, Delta delta) implements Transaction {
        @Override
        public RuleGraph target() {
            return delta.applyTo(from);
        }

        @Override
        public Size size() {
            int rules = delta.nodeBefore().equals(delta.nodeAfter()) ? 0 : 1;
            return new Size(rules, delta.frontends().size() + delta.healthChecks().size());
        }

        @Override
        public void print(Appendable out) throws IOException {
            if (!delta.nodeBefore().equals(delta.nodeAfter())) {
                out.append("node ").append(delta.family().title()).append('\n');
            }
            for (Map.Entry<Frontend, Change<Treatment>> entry : delta.frontends().entrySet()) {
                out.append(
                        switch (entry.getValue()) {
                            case Change.Added<Treatment>(var after) ->
                                    "add " + entry.getKey() + " of " + after.owner();
                            case Change.Removed<Treatment>(var before) ->
                                    "delete " + entry.getKey() + " of " + before.owner();
                            case Change.Replaced<Treatment>(_, var after) ->
                                    "replace " + entry.getKey() + " of " + after.owner();
                        });
                out.append('\n');
            }
        }
    }

    @Override
    public Transaction render(RuleGraph from, Delta delta) {
        return new Written(from, delta);
    }

    @Override
    public Transaction repair(RuleGraph desired) {
        reachable();
        reads++;
        disturbed = false;
        Written difference = new Written(held, Delta.between(held, desired));
        read.run();
        return difference;
    }

    @Override
    public Condition condition() {
        reachable();
        looks++;
        look.run();
        if (!held.node().equals(committed.node())) {
            return Condition.DAMAGED;
        }
        return disturbed ? Condition.DISTURBED : Condition.INTACT;
    }

    @Override
    public Commit commit(Transaction transaction) {
        reachable();
        attempts++;
        Written change = (Written) transaction;
        return switch (mood) {
            case BUSY -> new Commit.Busy("a test holds the lock");
            case REFUSING_EVERYTHING -> refusal(new TreeSet<>());
            case TEARING -> {
                held = held.with(change.delta().nodeAfter());
                Commit whole = refused.isEmpty() ? refusal(new TreeSet<>()) : accept(change);
                yield whole instanceof Commit.Refused part
                        ? new Commit.Torn("the fixed part", part)
                        : whole;
            }
            case BROKEN -> throw new IllegalStateException("a test broke the backend");
            case WELL, UNREACHABLE -> accept(change);
        };
    }

    private Commit accept(Written change) {
        SortedSet<ServiceName> services = new TreeSet<>();
        for (Change<Treatment> each : change.delta().frontends().values()) {
            switch (each) {
                case Change.Added<Treatment>(var after) -> services.add(after.owner().service());
                case Change.Replaced<Treatment>(_, var after) ->
                        services.add(after.owner().service());
                case Change.Removed<Treatment> _ -> {}
            }
        }
        services.retainAll(refused);
        if (!services.isEmpty()) {
            return refusal(new TreeSet<>(List.of(services.first())));
        }
        if (!Delta.between(held, change.from()).frontends().isEmpty()) {
            return refusal(new TreeSet<>());
        }
        held = change.target();
        committed = held;
        commits++;
        return new Commit.Applied();
    }

    private static Commit.Refused refusal(SortedSet<ServiceName> services) {
        return new Commit.Refused("object 7", "No space left on device", services);
    }

    @Override
    public void prepare(Settings settings) {
        reachable();
        prepared = true;
    }

    /// Whether it ever was.
    public boolean prepared() {
        return prepared;
    }

    private void reachable() {
        if (mood == Mood.UNREACHABLE) {
            throw new DataplaneUnavailable(
                    "netlink: Operation not permitted; run as root", new IOException("EPERM"));
        }
    }

    @Override
    public void close() {
        // A kernel outlives those who write it.
    }
}
