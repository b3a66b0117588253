package dev.pointsman.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Settings;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Which changes count for the programming latency, and when (behaviour document 1.3).
final class WaitingTriggersTest {
    private static final Instant EIGHT = Instant.parse("2026-11-30T08:00:00Z");
    private static final Instant NINE = Instant.parse("2026-11-30T09:00:00Z");
    private static final Instant TEN = Instant.parse("2026-11-30T10:00:00Z");

    private final InMemoryKernel v4 = new InMemoryKernel(Family.IPV4);
    private final InMemoryKernel v6 = new InMemoryKernel(Family.IPV6);
    private final List<String> programmed = new ArrayList<>();
    private long now = 1_000_000_000_000L;
    private Sync sync = sync(Pace.DEFAULT);

    private Sync sync(Pace pace) {
        SortedMap<Family, Dataplane> kernels = new TreeMap<>();
        kernels.put(Family.IPV4, v4);
        kernels.put(Family.IPV6, v6);
        return new Sync(
                "node-a",
                Settings.nftablesDefaults(),
                pace,
                kernels,
                () -> now,
                _ -> {},
                _ -> {},
                this::note);
    }

    private void note(SyncNote note) {
        if (note instanceof SyncNote.Programmed(var family, var triggers)) {
            triggers.forEach(at -> programmed.add(family.title() + " " + at));
        }
    }

    private void starts() {
        Sample.cluster().forEach(event -> sync.take(event, now));
        sync.listed();
        sync.step();
    }

    private void hears(EndpointSlice slice, Instant trigger) {
        sync.take(new ClusterEvent.SliceSeen(slice, trigger), now);
    }

    private void passes(Duration time) {
        now += time.toNanos();
        sync.step();
    }

    @Test
    void a_change_counts_for_the_family_of_its_slice_once_the_kernel_holds_it() {
        starts();
        hears(Sample.slice("web-1", "web", "10.1.0.2"), EIGHT);
        hears(Sample.slice("web-1", "web", "10.1.0.3"), NINE);
        hears(Sample.slice("web-2", "web", "fd00:1::2"), TEN);
        assertThat(programmed).isEmpty();
        sync.step();
        assertThat(programmed).containsExactly("IPv4 " + EIGHT, "IPv4 " + NINE, "IPv6 " + TEN);
        passes(Duration.ofHours(1));
        assertThat(programmed).hasSize(3);
    }

    @Test
    void what_changed_before_everything_was_listed_counts_too() {
        hears(Sample.slice("web-1", "web", "10.1.0.1"), EIGHT);
        starts();
        assertThat(programmed).as("no Service had that slice").isEmpty();
        sync = sync(Pace.DEFAULT);
        sync.take(new ClusterEvent.ServiceSeen(Sample.service("web", 1)), now);
        hears(Sample.slice("web-1", "web", "10.1.0.1"), EIGHT);
        starts();
        assertThat(programmed).containsExactly("IPv4 " + EIGHT);
    }

    @Test
    void a_slice_told_again_does_not_count_whatever_it_says_of_its_change() {
        starts();
        hears(Sample.slice("web-1", "web", "10.1.0.1"), EIGHT);
        sync.step();
        assertThat(v4.commits()).isEqualTo(1);
        hears(Sample.slice("web-2", "web", "fd00:1::2"), NINE);
        sync.step();
        assertThat(programmed).containsExactly("IPv6 " + NINE);
    }

    @Test
    void a_change_that_the_kernel_does_not_take_counts_when_it_does() {
        starts();
        v4.is(InMemoryKernel.Mood.BUSY);
        hears(Sample.slice("web-1", "web", "10.1.0.2"), EIGHT);
        sync.step();
        assertThat(programmed).isEmpty();
        v4.is(InMemoryKernel.Mood.WELL);
        passes(Duration.ofSeconds(1));
        assertThat(programmed).containsExactly("IPv4 " + EIGHT);
    }

    @Test
    void a_service_that_is_set_aside_did_not_arrive() {
        starts();
        v4.refuses(Sample.name("bad"));
        sync.take(new ClusterEvent.ServiceSeen(Sample.service("bad", 2)), now);
        hears(Sample.slice("bad-1", "bad", "10.1.0.9"), EIGHT);
        hears(Sample.slice("web-1", "web", "10.1.0.2"), NINE);
        sync.step();
        assertThat(programmed).containsExactly("IPv4 " + NINE);
    }

    @Test
    void a_slice_that_is_deleted_takes_what_its_service_waited_for_with_it() {
        sync = sync(Pace.DEFAULT.withMinSyncPeriod(Duration.ofSeconds(5)));
        starts();
        hears(Sample.slice("web-1", "web", "10.1.0.2"), EIGHT);
        sync.take(new ClusterEvent.SliceGone("shop", "web-2"), now);
        passes(Duration.ofSeconds(5));
        assertThat(v4.held().frontends()).isNotEmpty();
        assertThat(programmed).isEmpty();
    }
}
