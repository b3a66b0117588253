package dev.pointsman.sync;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.ExpectedFlows;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.store.Changes;
import dev.pointsman.store.ClusterState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// One family on its way from the cluster's state into the kernel, with its own plan and its own
/// failures.
final class Lane {

    /// What is believed of the kernel.
    private sealed interface Standing {
        /// It holds the planner's graph.
        record InPlace(long nextLook, long nextAudit) implements Standing {}

        /// Nobody knows what it holds; it is read and repaired at `due`.
        record Unsure(long due, Backoff afterwards) implements Standing {}
    }

    /// A Service that is planned as absent because the kernel refused its rules.
    private record Aside(Backoff backoff, long due) {}

    // Each round reads the kernel and sets at least one Service aside; with more to refuse than
    // this, the events that wait come first.
    private static final int ROUNDS = 16;

    // Of the time between two readings of the kernel, or two looks at it, one part goes into them.
    private static final long SHARE = 100;

    // However long a look takes: whoever removes our rules takes the node's Services away.
    private static final long LONGEST_BLIND = Duration.ofSeconds(1).toNanos();

    private final Family family;
    private final Dataplane dataplane;
    private final ClusterState state;
    private final LongSupplier nanos;
    private final Stages stages;
    private final Consumer<ExpectedFlows> flows;
    private final Consumer<SyncReport> reports;
    private final FlowNotes flowNotes;
    private final WaitingTriggers triggers;
    private final Consumer<SyncNote> notes;

    private final Map<ServiceName, Aside> asides = new HashMap<>();

    // Set aside before and planned again, with the answer of the kernel to come.
    private final Map<ServiceName, Aside> trials = new HashMap<>();

    private Settings settings;
    private Pace pace;
    private SortedMap<Frontend, List<ServicePortName>> conflicts = new TreeMap<>();
    private Planner planner;
    private Standing standing;
    private Duration planned = Duration.ZERO;
    private long waitingSince = Long.MAX_VALUE;
    private long lastRead;
    private long lastReadTook;

    Lane(Family family, Dataplane dataplane, Line line) {
        this.family = family;
        this.dataplane = dataplane;
        state = line.state();
        settings = line.settings();
        pace = line.pace();
        nanos = line.nanos();
        stages = line.stages();
        flows = line.flows();
        flowNotes = new FlowNotes(family);
        triggers = new WaitingTriggers(family);
        reports = line.reports();
        notes = line.notes();
        planner = new Planner(family, node(), currentSettings());
        standing = new Standing.Unsure(nanos.getAsLong(), Backoff.FIRST);
    }

    /// What all lanes of a loop share.
    ///
    /// @param flows is told what UDP flows should be like once the kernel holds the rules for it
    record Line(
            ClusterState state,
            Settings settings,
            Pace pace,
            LongSupplier nanos,
            Stages stages,
            Consumer<ExpectedFlows> flows,
            Consumer<SyncReport> reports,
            Consumer<SyncNote> notes) {
        Line with(Settings otherSettings, Pace otherPace) {
            return new Line(state, otherSettings, otherPace, nanos, stages, flows, reports, notes);
        }
    }

    /// Whether the kernel holds the plan, but for what is set aside.
    boolean isInPlace() {
        return standing instanceof Standing.InPlace;
    }

    SortedSet<ServiceName> setAside() {
        return new TreeSet<>(asides.keySet());
    }

    /// Goes on with other settings: plans every Service again and, where the kernel is known, takes
    /// what differs into it.
    ///
    /// @param since when the settings arrived
    void reconfigure(Settings otherSettings, Pace otherPace, long since) {
        settings = otherSettings;
        pace = otherPace;
        take(new Changes(new TreeSet<>(), Changes.Reach.WHOLE_NODE), since);
    }

    /// Plans every Service; the kernel follows with the next [#tick].
    ///
    /// @param first what was taken in before
    /// @param since when the oldest of that arrived
    void planAll(Changes first, long since) {
        triggers.add(first);
        waitingSince = since;
        // What waited for the list to be complete could not have been written before.
        notes.accept(new SyncNote.Queued(family, nanos.getAsLong()));
        guarded(() -> plan(new Changes(new TreeSet<>(), Changes.Reach.WHOLE_NODE)));
    }

    /// Takes `changes` into the plan and, where the kernel is known, on into the kernel.
    ///
    /// @param since when the oldest of them arrived
    void take(Changes changes, long since) {
        triggers.add(changes);
        waitingSince = Math.min(waitingSince, since);
        notes.accept(new SyncNote.Queued(family, waitingSince));
        guarded(() -> ran(changes.reach(), () -> push(changes)));
    }

    /// Does whatever is due by now.
    void tick() {
        guarded(
                () -> {
                    long now = nanos.getAsLong();
                    switch (standing) {
                        case Standing.Unsure(long due, _) -> {
                            if (now >= due) {
                                rerun(SyncReport.Cause.REPAIR);
                            }
                        }
                        case Standing.InPlace(long nextLook, long nextAudit) -> {
                            if (now >= nextAudit) {
                                rerun(SyncReport.Cause.AUDIT);
                            } else if (now >= nextLook) {
                                look(now, nextAudit);
                            }
                        }
                    }
                    retryAsides(now);
                });
    }

    /// When the next [#tick] has something to do.
    long due() {
        return switch (standing) {
            case Standing.Unsure(long due, _) -> due;
            case Standing.InPlace(long nextLook, long nextAudit) ->
                    asides.values().stream()
                            .mapToLong(Aside::due)
                            .reduce(Math.min(nextLook, nextAudit), Math::min);
        };
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (DataplaneUnavailable e) {
            fail(SyncReport.Failed.Kind.UNAVAILABLE, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            // What the planner holds may be half of a change, so that it must not be built upon.
            replanOneByOne();
            fail(SyncReport.Failed.Kind.UNEXPECTED, Unexpected.describe(e));
        }
    }

    private void rerun(SyncReport.Cause cause) {
        ran(Changes.Reach.WHOLE_NODE, () -> repair(cause, Set.of()));
    }

    /// Does `work` and tells how long it took, however it ends.
    private void ran(Changes.Reach reach, Runnable work) {
        long start = nanos.getAsLong();
        try {
            work.run();
        } finally {
            notes.accept(
                    new SyncNote.Ran(family, reach, Duration.ofNanos(nanos.getAsLong() - start)));
        }
    }

    private void look(long now, long nextAudit) {
        Dataplane.Condition condition = dataplane.condition();
        long blind = Math.min(SHARE * (nanos.getAsLong() - now), LONGEST_BLIND);
        long nextLook = now + Math.max(pace.look().toNanos(), blind);
        switch (condition) {
            case INTACT -> standing = new Standing.InPlace(nextLook, nextAudit);
            case DISTURBED ->
                    standing = new Standing.InPlace(nextLook, Math.min(nextAudit, calmed()));
            case DAMAGED -> {
                reports.accept(new SyncReport.Removed(family));
                rerun(SyncReport.Cause.REPAIR);
            }
        }
    }

    /// When the kernel may be read again although somebody keeps changing rules in it: other
    /// programs may do so all day, and following them must not cost more than a hundredth of a
    /// core.
    private long calmed() {
        return lastRead + Math.max(pace.look().toNanos(), SHARE * lastReadTook);
    }

    private void retryAsides(long now) {
        if (!isInPlace()) {
            return;
        }
        SortedSet<ServiceName> ready = new TreeSet<>();
        asides.forEach(
                (name, aside) -> {
                    if (now >= aside.due()) {
                        ready.add(name);
                    }
                });
        if (!ready.isEmpty()) {
            Changes again = new Changes(ready, Changes.Reach.THESE_SERVICES);
            ran(again.reach(), () -> push(again));
        }
    }

    private void push(Changes changes) {
        RuleGraph before = planner.graph();
        Delta delta = plan(changes);
        if (!isInPlace()) {
            return;
        }
        if (delta.isEmpty()) {
            settled(before, SyncReport.Cause.CHANGE);
            return;
        }
        long start = nanos.getAsLong();
        Transaction transaction = dataplane.render(before, delta);
        Duration rendered = since(Stages.Stage.RENDER, start);
        if (transaction.size().isEmpty()) {
            settled(planner.graph(), SyncReport.Cause.CHANGE);
            return;
        }
        Commit answer = commit(SyncReport.Cause.CHANGE, transaction, rendered);
        switch (answer) {
            case Commit.Applied _ -> {}
            case Commit.Refused refused -> {
                // A refusal can also mean that the kernel is not what we think: only what it
                // refuses after a look, or refused before, is at fault itself.
                boolean again = trials.keySet().containsAll(refused.services());
                if (again && setAside(refused) && before.equals(planner.graph())) {
                    settled(before, SyncReport.Cause.CHANGE);
                } else {
                    repair(SyncReport.Cause.REPAIR, refused.services());
                }
            }
            // As when somebody flushed all rules between two steps of ours.
            case Commit.Torn(_, var refused) -> repair(SyncReport.Cause.REPAIR, refused.services());
            case Commit.Busy _ -> failed(answer);
        }
    }

    private Delta plan(Changes changes) {
        long start = nanos.getAsLong();
        Set<ServiceState> states = new HashSet<>();
        for (ServiceName name : changes.services()) {
            Aside aside = asides.remove(name);
            if (aside != null) {
                trials.put(name, aside);
            }
            states.add(state.state(name));
        }
        Delta delta =
                switch (changes.reach()) {
                    case THESE_SERVICES -> planner.plan(states);
                    case WHOLE_NODE -> {
                        for (ServiceState.Present present : state.all()) {
                            if (!asides.containsKey(present.name())) {
                                states.add(present);
                            }
                        }
                        yield planner.replan(node(), currentSettings(), states);
                    }
                };
        flowNotes.planned(delta, states, node());
        planned = planned.plus(since(Stages.Stage.PLAN, start));
        reportConflicts();
        return delta;
    }

    /// A new plan of everything. A Service that cannot be planned is set aside like one that the
    /// kernel refuses.
    private void replanOneByOne() {
        RuleGraph before = planner.graph();
        planner = new Planner(family, node(), currentSettings());
        planner.plan(List.of());
        for (ServiceState.Present present : state.all()) {
            if (asides.containsKey(present.name())) {
                continue;
            }
            try {
                planner.plan(List.of(present));
            } catch (RuntimeException e) {
                setAside(present.name(), "its plan", Unexpected.describe(e));
            }
        }
        flowNotes.planned(Delta.between(before, planner.graph()), state.all(), node());
    }

    /// @param suspects the Services that the kernel refused before it was read again
    private void repair(SyncReport.Cause cause, Set<ServiceName> suspects) {
        boolean believed = false;
        for (int round = 0; round < ROUNDS; round++) {
            long start = nanos.getAsLong();
            Transaction transaction = dataplane.repair(planner.graph());
            Duration rendered = since(Stages.Stage.RENDER, start);
            // The first reading finds out about the node as well, in a cold JVM: it says nothing
            // about the next one.
            lastReadTook = lastRead == 0 ? 0 : rendered.toNanos();
            lastRead = start;
            if (transaction.size().isEmpty()) {
                boolean news = !isInPlace();
                settled(transaction.target(), cause);
                if (news) {
                    reports.accept(
                            new SyncReport.FoundInPlace(
                                    family, transaction.target().frontends().size()));
                }
                return;
            }
            Commit answer = commit(cause, transaction, rendered);
            // The next round also reads what was written of a torn commit.
            boolean again =
                    switch (answer) {
                        case Commit.Refused refused -> prepareAnother(refused, believed, suspects);
                        case Commit.Torn(_, var refused) ->
                                prepareAnother(refused, believed, suspects);
                        case Commit.Applied _, Commit.Busy _ -> false;
                    };
            believed = true;
            if (!again) {
                if (!(answer instanceof Commit.Applied)) {
                    failed(answer);
                }
                return;
            }
        }
        fail(
                SyncReport.Failed.Kind.COMMIT,
                "the kernel refuses one Service after the other, " + asides.size() + " so far");
    }

    /// Prepares another round, which may end better: without the Services that were refused, or,
    /// after the first refusal, with all of them. Somebody may have flushed the rules after they
    /// were read, and then no Service is at fault. False when nothing can be done about it.
    private boolean prepareAnother(
            Commit.Refused refused, boolean believed, Set<ServiceName> suspects) {
        boolean refusedBefore =
                !refused.services().isEmpty() && suspects.containsAll(refused.services());
        if (believed || refusedBefore) {
            return setAside(refused);
        }
        return true;
    }

    private Commit commit(SyncReport.Cause cause, Transaction transaction, Duration rendered) {
        long start = nanos.getAsLong();
        Commit answer = dataplane.commit(transaction);
        Duration committed = since(Stages.Stage.COMMIT, start);
        notes.accept(new SyncNote.Answered(family, cause, transaction, answer, committed));
        if (answer instanceof Commit.Applied) {
            Duration latency = Duration.ZERO;
            if (waitingSince != Long.MAX_VALUE) {
                latency = since(Stages.Stage.EVENT_TO_COMMIT, waitingSince);
            }
            reports.accept(
                    new SyncReport.Committed(
                            family,
                            cause,
                            transaction.target().frontends().size(),
                            transaction.size(),
                            new SyncReport.Took(planned, rendered, committed, latency)));
            settled(transaction.target(), cause);
        }
        return answer;
    }

    private Duration since(Stages.Stage stage, long start) {
        long took = nanos.getAsLong() - start;
        stages.record(stage, took);
        return Duration.ofNanos(took);
    }

    /// The kernel holds `graph`, which is the plan but for the slots of endpoints.
    private void settled(RuleGraph graph, SyncReport.Cause cause) {
        for (ServiceName name : new TreeSet<>(trials.keySet())) {
            trials.remove(name);
            if (state.state(name) instanceof ServiceState.Present) {
                reports.accept(new SyncReport.Restored(family, name));
            }
        }
        planned = Duration.ZERO;
        waitingSince = Long.MAX_VALUE;
        standing =
                switch (cause) {
                    // Changes come all the time in a busy cluster, and must not put off the audit.
                    case CHANGE -> standing;
                    case REPAIR, AUDIT -> {
                        planner.adopt(graph);
                        long now = nanos.getAsLong();
                        yield new Standing.InPlace(
                                now + pace.look().toNanos(), now + pace.audit().toNanos());
                    }
                };
        flowNotes.settled(graph, asides.keySet(), cause).ifPresent(flows);
        notes.accept(new SyncNote.Settled(family, planner.graph(), setAside(), conflicts.size()));
        notes.accept(new SyncNote.Programmed(family, triggers.arrived(asides.keySet())));
    }

    /// Takes the Services of a refusal out of the plan. False when that changes nothing: then it is
    /// not they who are refused.
    private boolean setAside(Commit.Refused refused) {
        Collection<ServiceState> absent = new ArrayList<>();
        for (ServiceName name : refused.services()) {
            absent.add(new ServiceState.Absent(name));
        }
        Delta delta = planner.plan(absent);
        if (delta.isEmpty()) {
            return false;
        }
        flowNotes.planned(delta, List.of(), node());
        for (ServiceName name : refused.services()) {
            setAside(name, refused.what(), refused.why());
        }
        return true;
    }

    private void setAside(ServiceName name, String what, String why) {
        Aside before = trials.remove(name);
        Backoff backoff = before == null ? Backoff.FIRST : before.backoff().next();
        asides.put(name, new Aside(backoff, nanos.getAsLong() + backoff.delay().toNanos()));
        reports.accept(new SyncReport.SetAside(family, name, what, why, backoff.delay()));
    }

    private void failed(Commit answer) {
        fail(
                SyncReport.Failed.Kind.COMMIT,
                switch (answer) {
                    case Commit.Applied _ -> "applied";
                    case Commit.Busy(var who) -> "nothing was written, busy: " + who;
                    case Commit.Refused(var what, var why, _) ->
                            "nothing was written, the kernel refused " + what + ": " + why;
                    case Commit.Torn(var applied, var refused) -> {
                        setAside(refused);
                        yield "only a part was written ("
                                + applied
                                + "), the kernel refused "
                                + refused.what()
                                + ": "
                                + refused.why();
                    }
                });
    }

    private void fail(SyncReport.Failed.Kind kind, String reason) {
        notes.accept(new SyncNote.Queued(family, Math.min(waitingSince, nanos.getAsLong())));
        Backoff backoff =
                switch (standing) {
                    case Standing.InPlace _ -> Backoff.FIRST;
                    case Standing.Unsure(_, var afterwards) -> afterwards;
                };
        standing =
                new Standing.Unsure(nanos.getAsLong() + backoff.delay().toNanos(), backoff.next());
        reports.accept(new SyncReport.Failed(family, kind, reason, backoff.delay()));
    }

    private void reportConflicts() {
        SortedMap<Frontend, List<ServicePortName>> now = planner.conflicts();
        now.forEach(
                (frontend, owners) -> {
                    if (!owners.equals(conflicts.get(frontend))) {
                        reports.accept(
                                new SyncReport.Contested(
                                        family,
                                        frontend,
                                        owners.getFirst(),
                                        owners.subList(1, owners.size())));
                    }
                });
        conflicts = now;
    }

    private NodeView node() {
        return state.node()
                .orElseThrow(() -> new IllegalStateException("no lane before the Node is known"));
    }

    private Settings currentSettings() {
        return settings.withServiceRanges(state.serviceRanges());
    }
}
