package dev.pointsman.packet.kernel;

import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Outcome;
import dev.pointsman.packet.scenario.Expectation;
import dev.pointsman.packet.scenario.Sync;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The flows of one scenario in one world, sync by sync.
final class Performance {
    // A refusal of the first SYN that comes back before connect(2) lets go of the socket is not
    // noticed by IPv6; that of the second SYN is.
    private static final Duration FOR_A_REFUSAL = Duration.ofMillis(2500);
    private static final Duration FOR_SILENCE = Duration.ofMillis(300);
    private static final int STICKY_TRIES = 5;
    private static final int TRIES_AFTER_SILENCE = 20;

    private final String file;
    private final KernelWorld world;
    private final LostSyns lostSyns;
    private final AffinityMemory memory = new AffinityMemory();

    Performance(String file, KernelWorld world, LostSyns lostSyns) {
        this.file = file;
        this.world = world;
        this.lostSyns = lostSyns;
    }

    /// What is not as expected after `sync`.
    List<Miss> play(Sync sync) throws Exception {
        memory.keepOnly(sync);
        List<Miss> misses = new ArrayList<>();
        List<Callable<List<Miss>>> together = new ArrayList<>();
        // A scheduler that goes round would show each of two flows in step one endpoint only.
        Map<ServicePortName, List<Expectation.Ends>> balanced = new LinkedHashMap<>();
        for (Expectation expectation : sync.expectations()) {
            if (!(expectation instanceof Expectation.Ends ends)
                    || ends.flow().protocol() == Protocol.SCTP) {
                continue;
            }
            switch (ends.choice()) {
                case FREE -> {
                    if (ends.outcomes().size() > 1) {
                        balanced.computeIfAbsent(owner(sync, ends), _ -> new ArrayList<>())
                                .add(ends);
                    } else {
                        together.add(() -> playFree(ends));
                    }
                }
                case STICKY -> misses.addAll(playSticky(sync, ends));
            }
        }
        try (ExecutorService flows = Executors.newVirtualThreadPerTaskExecutor()) {
            balanced.values().forEach(some -> together.add(() -> playFree(some)));
            for (Future<List<Miss>> flow : flows.invokeAll(together)) {
                misses.addAll(flow.get());
            }
        }
        return misses;
    }

    private static ServicePortName owner(Sync sync, Expectation.Ends expected) {
        Flow flow = expected.flow();
        return sync.oracle(flow.family()).treatment(flow).orElseThrow().owner();
    }

    private List<Miss> playFree(List<Expectation.Ends> oneAfterTheOther) throws Exception {
        List<Miss> misses = new ArrayList<>();
        for (Expectation.Ends expected : oneAfterTheOther) {
            misses.addAll(playFree(expected));
        }
        return misses;
    }

    /// Sends the flow until every expected outcome was seen, and often enough to notice others.
    ///
    /// One silence is forgiven if many answers follow: a busy machine may stall for longer than we
    /// can wait without missing that a SYN had to be sent twice.
    private List<Miss> playFree(Expectation.Ends expected) throws Exception {
        int members = expected.outcomes().size();
        int fewest = members == 1 ? fewestTries(expected.outcomes().first()) : 4 * members;
        int most = members == 1 ? fewest : 30 * members;
        boolean forgiven = false;
        SortedMap<Outcome, Integer> seen = new TreeMap<>();
        for (int tries = 0;
                tries < fewest || tries < most && !seen.keySet().containsAll(expected.outcomes());
                tries++) {
            Outcome outcome = world.play(expected.flow(), patience(expected));
            if (outcome instanceof Outcome.Dropped
                    && expected.outcomes().first() instanceof Outcome.Delivered
                    && !forgiven) {
                forgiven = true;
                fewest += TRIES_AFTER_SILENCE;
                most += TRIES_AFTER_SILENCE;
                continue;
            }
            seen.merge(outcome, 1, Integer::sum);
            if (!expected.outcomes().contains(outcome)) {
                break;
            }
        }
        return seen.keySet().equals(expected.outcomes())
                ? List.of()
                : List.of(miss(expected, expected.outcomes(), seen));
    }

    private static int fewestTries(Outcome only) {
        return switch (only) {
            case Outcome.Delivered _ -> 4;
            case Outcome.Rejected _, Outcome.Dropped _, Outcome.Untouched _ -> 1;
        };
    }

    private List<Miss> playSticky(Sync sync, Expectation.Ends expected) throws Exception {
        Flow flow = expected.flow();
        ServicePortName service = sync.oracle(flow.family()).treatment(flow).orElseThrow().owner();
        int most = STICKY_TRIES;
        for (int tries = 0; tries < most; tries++) {
            Set<Outcome> allowed = memory.allowed(flow.source(), service, expected.outcomes());
            Outcome outcome = world.play(flow, patience(expected));
            if (outcome instanceof Outcome.Dropped && most == STICKY_TRIES) {
                most += TRIES_AFTER_SILENCE;
                continue;
            }
            if (!allowed.contains(outcome)) {
                return List.of(miss(expected, allowed, new TreeMap<>(Map.of(outcome, 1))));
            }
            memory.learn(flow.source(), service, outcome);
        }
        return List.of();
    }

    private Duration patience(Expectation.Ends expected) {
        return switch (expected.outcomes().first()) {
            case Outcome.Delivered _ -> lostSyns.forAnAnswer();
            case Outcome.Rejected _ -> FOR_A_REFUSAL;
            case Outcome.Dropped _, Outcome.Untouched _ -> FOR_SILENCE;
        };
    }

    private Miss miss(
            Expectation.Ends expected, Set<Outcome> possible, SortedMap<Outcome, Integer> seen) {
        return new Miss(file, expected.line(), expected.flow(), new TreeSet<>(possible), seen);
    }
}
