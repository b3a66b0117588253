package dev.pointsman.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.Settings;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.ClusterState;
import dev.pointsman.store.Sample;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// Whatever happens on the way, in the end the kernel holds what a fresh list says.
final class SyncLaws {
    /// One thing that happens.
    sealed interface Happening {
        record Event(ClusterEvent event) implements Happening {}

        record Mood(InMemoryKernel.Mood mood) implements Happening {}

        record Refusal(int service) implements Happening {}

        record Loss() implements Happening {}

        record Pause(int seconds) implements Happening {}
    }

    @Provide
    Arbitrary<List<Happening>> happenings() {
        Arbitrary<Integer> number = Arbitraries.integers().between(1, 4);
        Arbitrary<Happening> seen =
                number.map(n -> new Happening.Event(new ClusterEvent.ServiceSeen(service(n, n))));
        Arbitrary<Happening> moved =
                number.map(n -> new Happening.Event(new ClusterEvent.ServiceSeen(service(n, 7))));
        Arbitrary<Happening> gone =
                number.map(
                        n ->
                                new Happening.Event(
                                        new ClusterEvent.ServiceGone(Sample.name("s" + n))));
        Arbitrary<Happening> slice =
                number.map(
                        n ->
                                new Happening.Event(
                                        new ClusterEvent.SliceSeen(
                                                Sample.slice(
                                                        "s" + n + "-1", "s" + n, "10.1.0." + n))));
        Arbitrary<Happening> sliceGone =
                number.map(
                        n ->
                                new Happening.Event(
                                        new ClusterEvent.SliceGone("shop", "s" + n + "-1")));
        return Arbitraries.oneOf(
                        seen,
                        moved,
                        gone,
                        slice,
                        sliceGone,
                        number.map(Happening.Refusal::new),
                        Arbitraries.of(InMemoryKernel.Mood.class).map(Happening.Mood::new),
                        Arbitraries.just(new Happening.Loss()),
                        Arbitraries.integers().between(0, 40).map(Happening.Pause::new))
                .list()
                .ofMaxSize(40);
    }

    private static Service service(int number, int address) {
        return Sample.service("s" + number, address);
    }

    @Property(tries = 300)
    void the_kernel_converges(@ForAll("happenings") List<Happening> happenings) {
        long[] now = {0};
        InMemoryKernel kernel = new InMemoryKernel(Family.IPV4);
        TreeMap<Family, Dataplane> kernels = new TreeMap<>();
        kernels.put(Family.IPV4, kernel);
        Settings settings = Settings.nftablesDefaults();
        Sync sync =
                new Sync(
                        "node-a",
                        settings,
                        Pace.DEFAULT,
                        kernels,
                        () -> now[0],
                        _ -> {},
                        _ -> {},
                        _ -> {});
        ClusterState fresh = new ClusterState("node-a");
        Sample.cluster().forEach(event -> sync.take(event, now[0]));
        Sample.cluster().forEach(fresh::take);
        sync.listed();
        for (Happening happening : happenings) {
            switch (happening) {
                case Happening.Event(var event) -> {
                    sync.take(event, now[0]);
                    fresh.take(event);
                }
                case Happening.Mood(var mood) -> kernel.is(mood);
                case Happening.Refusal(int n) -> kernel.refuses(Sample.name("s" + n));
                case Happening.Loss _ -> kernel.losesEverything();
                case Happening.Pause(int seconds) -> pass(sync, now, seconds);
            }
        }
        kernel.is(InMemoryKernel.Mood.WELL);
        for (int n = 1; n <= 4; n++) {
            kernel.accepts(Sample.name("s" + n));
        }
        pass(sync, now, 120);

        Planner planner = new Planner(Family.IPV4, Sample.node("node-a"), settings);
        planner.plan(List.copyOf(fresh.all()));
        assertThat(Delta.between(kernel.held(), planner.graph()).isEmpty()).isTrue();
        int commits = kernel.commits();
        pass(sync, now, 3600);
        assertThat(kernel.commits()).as("idle").isEqualTo(commits);
        assertThat(sync.outcome()).isEqualTo(new Outcome.InPlace(new TreeSet<>()));
    }

    private static void pass(Sync sync, long[] now, int seconds) {
        long end = now[0] + Duration.ofSeconds(seconds).toNanos();
        long due = sync.step();
        while (due <= end) {
            now[0] = Math.max(now[0], due);
            due = sync.step();
        }
        now[0] = end;
    }
}
