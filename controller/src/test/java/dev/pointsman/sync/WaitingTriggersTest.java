package dev.pointsman.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which changes count for the programming latency, and when (behaviour document 1.3).
final class WaitingTriggersTest {
    private static final Instant EIGHT = Instant.parse("2026-11-30T08:00:00Z");
    private static final Instant NINE = Instant.parse("2026-11-30T09:00:00Z");
    private static final Instant TEN = Instant.parse("2026-11-30T10:00:00Z");

    private final TwoFamilies node = new TwoFamilies();
    private final InMemoryKernel v4 = node.v4();

    /// What counted so far.
    private List<String> programmed() {
        List<String> programmed = new ArrayList<>();
        for (SyncNote note : node.notes()) {
            if (note instanceof SyncNote.Programmed(var family, var triggers)) {
                triggers.forEach(at -> programmed.add(family.title() + " " + at));
            }
        }
        return programmed;
    }

    private void hears(EndpointSlice slice, Instant trigger) {
        node.take(new ClusterEvent.SliceSeen(slice, trigger));
    }

    private void passes(Duration time) {
        node.rest(time);
        node.sync().step();
    }

    @Test
    void a_change_counts_for_the_family_of_its_slice_once_the_kernel_holds_it() {
        node.list();
        hears(Sample.slice("web-1", "web", "10.1.0.2"), EIGHT);
        hears(Sample.slice("web-1", "web", "10.1.0.3"), NINE);
        hears(Sample.slice("web-2", "web", "fd00:1::2"), TEN);
        assertThat(programmed()).isEmpty();
        node.sync().step();
        assertThat(programmed()).containsExactly("IPv4 " + EIGHT, "IPv4 " + NINE, "IPv6 " + TEN);
        passes(Duration.ofHours(1));
        assertThat(programmed()).hasSize(3);
    }

    @Test
    void what_changed_before_everything_was_listed_counts_too() {
        hears(Sample.slice("web-1", "web", "10.1.0.1"), EIGHT);
        node.list();
        assertThat(programmed()).as("no Service had that slice").isEmpty();
        node.begin(Pace.DEFAULT);
        node.take(new ClusterEvent.ServiceSeen(Sample.service("web", 1)));
        hears(Sample.slice("web-1", "web", "10.1.0.1"), EIGHT);
        node.list();
        assertThat(programmed()).containsExactly("IPv4 " + EIGHT);
    }

    @Test
    void a_slice_told_again_does_not_count_whatever_it_says_of_its_change() {
        node.list();
        hears(Sample.slice("web-1", "web", "10.1.0.1"), EIGHT);
        node.sync().step();
        assertThat(v4.commits()).isEqualTo(1);
        hears(Sample.slice("web-2", "web", "fd00:1::2"), NINE);
        node.sync().step();
        assertThat(programmed()).containsExactly("IPv6 " + NINE);
    }

    @Test
    void a_change_that_the_kernel_does_not_take_counts_when_it_does() {
        node.list();
        v4.is(InMemoryKernel.Mood.BUSY);
        hears(Sample.slice("web-1", "web", "10.1.0.2"), EIGHT);
        node.sync().step();
        assertThat(programmed()).isEmpty();
        v4.is(InMemoryKernel.Mood.WELL);
        passes(Duration.ofSeconds(1));
        assertThat(programmed()).containsExactly("IPv4 " + EIGHT);
    }

    @Test
    void a_service_that_is_set_aside_did_not_arrive() {
        node.list();
        v4.refuses(Sample.name("bad"));
        node.take(new ClusterEvent.ServiceSeen(Sample.service("bad", 2)));
        hears(Sample.slice("bad-1", "bad", "10.1.0.9"), EIGHT);
        hears(Sample.slice("web-1", "web", "10.1.0.2"), NINE);
        node.sync().step();
        assertThat(programmed()).containsExactly("IPv4 " + NINE);
    }

    @Test
    void a_slice_that_is_deleted_takes_what_its_service_waited_for_with_it() {
        node.begin(Pace.DEFAULT.withMinSyncPeriod(Duration.ofSeconds(5)));
        node.list();
        hears(Sample.slice("web-1", "web", "10.1.0.2"), EIGHT);
        node.take(new ClusterEvent.SliceGone("shop", "web-2"));
        passes(Duration.ofSeconds(5));
        assertThat(v4.held().frontends()).isNotEmpty();
        assertThat(programmed()).isEmpty();
    }
}
