package dev.pointsman.packet.kernel;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.Family;
import dev.pointsman.packet.scenario.Arrival;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Sync;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// Plays scenarios with real packets through a real kernel that a backend programs.
public final class KernelScenarios {
    private KernelScenarios() {}

    /// Plays one scenario, in a world of its own.
    ///
    /// @throws AssertionError naming each flow that did not end as it should, with its line
    public static void play(Scenario scenario, Function<Family, Dataplane> dataplanes) {
        play(scenario, new DataplaneProgrammer(dataplanes));
    }

    /// As [#play(Scenario, Function)], programmed by anybody.
    public static void play(Scenario scenario, Programmer programmer) {
        List<String> failures = failures(scenario, programmer);
        if (!failures.isEmpty()) {
            throw new AssertionError(String.join("\n", failures));
        }
    }

    /// Plays scenarios one after the other, and reports what failed in all of them at the end.
    public static void playAll(List<Scenario> scenarios, Function<Family, Dataplane> dataplanes) {
        playAll(scenarios, () -> new DataplaneProgrammer(dataplanes));
    }

    /// As [#playAll(List, Function)], with a programmer for each scenario.
    ///
    /// A scenario that fails is played once more, in another world, and said to have been: a
    /// machine that stalls makes an answer late, but wrong rules are wrong again.
    public static void playAll(List<Scenario> scenarios, Supplier<Programmer> programmers) {
        List<String> failures = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            List<String> first = failures(scenario, programmers.get());
            if (!first.isEmpty()) {
                System.out.println("played again after:\n" + String.join("\n", first));
                failures.addAll(failures(scenario, programmers.get()));
            }
        }
        if (!failures.isEmpty()) {
            throw new AssertionError(
                    failures.size() + " failures:\n" + String.join("\n", failures));
        }
    }

    /// A test for each scenario, of the same kind as [#playAll(List, Supplier)]: where each takes
    /// seconds, people want to see them pass.
    public static Stream<DynamicTest> each(
            List<Scenario> scenarios, Supplier<Programmer> programmers) {
        return scenarios.stream()
                .map(
                        scenario ->
                                DynamicTest.dynamicTest(
                                        scenario.file(),
                                        () -> playAll(List.of(scenario), programmers)));
    }

    /// As [#each(List, Supplier)], programmed by dataplanes.
    public static Stream<DynamicTest> each(
            List<Scenario> scenarios, Function<Family, Dataplane> dataplanes) {
        return each(scenarios, () -> new DataplaneProgrammer(dataplanes));
    }

    private static List<String> failures(Scenario scenario, Programmer programmer) {
        try {
            return misses(scenario, programmer, LostSyns.NOTICED).stream()
                    .map(Miss::toString)
                    .toList();
        } catch (Exception | AssertionError e) {
            return List.of(scenario.file() + ": " + e);
        }
    }

    /// What does not end as `scenario` says, programmed by our dataplanes.
    public static List<Miss> misses(Scenario scenario, Function<Family, Dataplane> dataplanes)
            throws Exception {
        return misses(scenario, new DataplaneProgrammer(dataplanes), LostSyns.NOTICED);
    }

    /// What does not end as `scenario` says.
    public static List<Miss> misses(Scenario scenario, Programmer programmer, LostSyns lostSyns)
            throws Exception {
        try (KernelWorld world = KernelWorld.build(AddressPlan.of(scenario))) {
            List<Miss> misses;
            try {
                misses = perform(scenario, world, programmer, lostSyns);
            } catch (Exception | AssertionError e) {
                try {
                    remove(world, programmer);
                } catch (Exception | AssertionError second) {
                    e.addSuppressed(second);
                }
                throw e;
            }
            remove(world, programmer);
            return misses;
        }
    }

    private static List<Miss> perform(
            Scenario scenario, KernelWorld world, Programmer programmer, LostSyns lostSyns)
            throws Exception {
        List<Miss> misses = new ArrayList<>();
        Performance performance = new Performance(scenario.file(), world, lostSyns);
        for (Sync sync : scenario.syncs(Arrival.AS_WRITTEN)) {
            world.node()
                    .call(
                            () -> {
                                programmer.program(sync);
                                return true;
                            });
            misses.addAll(performance.play(sync));
        }
        return misses;
    }

    private static void remove(KernelWorld world, Programmer programmer) throws Exception {
        world.node()
                .call(
                        () -> {
                            programmer.remove();
                            return true;
                        });
    }
}
