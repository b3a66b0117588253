package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.notice.Notice;
import dev.pointsman.notice.Reason;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Finding;
import dev.pointsman.store.Sample;
import dev.pointsman.sync.InMemoryKernel;
import dev.pointsman.sync.Rehearsed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What of a loop's life becomes Events.
final class NoticesTest {
    private static final List<IpAddress> SHARED = List.of(IpAddress.parse("192.0.2.50"));

    private final InMemoryKernel v4 = new InMemoryKernel(Family.IPV4);
    private final List<Notice> notices = new ArrayList<>();
    private final Rehearsed loop = loop();

    private Rehearsed loop() {
        SortedMap<Family, Dataplane> kernels = new TreeMap<>();
        kernels.put(Family.IPV4, v4);
        return new Rehearsed(kernels, report -> notices.addAll(Notices.of(report)), _ -> {});
    }

    @Test
    void a_quiet_day_makes_none() {
        loop.starts(Sample.cluster());
        loop.hears(new ClusterEvent.ServiceSeen(Sample.service("more", 2)));
        loop.passes(Duration.ofHours(1));
        assertThat(notices).isEmpty();
    }

    @Test
    void the_service_that_loses_an_address_has_one_that_names_who_has_it() {
        loop.starts(Sample.cluster());
        loop.hears(new ClusterEvent.ServiceSeen(Sample.service("old", 2, SHARED)));
        loop.hears(new ClusterEvent.ServiceSeen(Sample.service("young", 3, SHARED)));
        assertThat(notices)
                .containsExactly(
                        Notice.ofService(
                                Sample.name("young"),
                                Reason.CONFLICT,
                                "192.0.2.50:80/tcp is not served for it, because shop/old:http has"
                                        + " the same address and port; change one of them"));
    }

    @Test
    void a_service_that_the_kernel_refuses_has_the_same_one_at_every_attempt_until_it_goes_in() {
        loop.starts(Sample.cluster());
        v4.refuses(Sample.name("bad"));
        loop.hears(new ClusterEvent.ServiceSeen(Sample.service("bad", 2)));
        loop.passes(Duration.ofSeconds(1));
        loop.passes(Duration.ofSeconds(2));
        Notice refused =
                Notice.ofService(
                        Sample.name("bad"),
                        Reason.RULES_REFUSED,
                        "IPv4: has no rules on this node, whose kernel refused object 7: No space"
                                + " left on device; tried again until it works");
        assertThat(notices).containsExactly(refused, refused, refused);
        v4.accepts(Sample.name("bad"));
        loop.passes(Duration.ofSeconds(4));
        assertThat(notices.getLast().reason()).isEqualTo(Reason.RULES_ACCEPTED);
        assertThat(notices).hasSize(4);
    }

    @Test
    void a_kernel_that_refuses_everything_or_is_away_is_told_on_the_node() {
        loop.starts(Sample.cluster());
        v4.is(InMemoryKernel.Mood.BUSY);
        loop.hears(new ClusterEvent.ServiceSeen(Sample.service("more", 2)));
        v4.is(InMemoryKernel.Mood.UNREACHABLE);
        loop.passes(Duration.ofSeconds(1));
        v4.is(InMemoryKernel.Mood.BROKEN);
        loop.passes(Duration.ofSeconds(2));
        assertThat(notices)
                .allMatch(notice -> notice.subject() instanceof Notice.Subject.OwnNode)
                .extracting(Notice::reason)
                .containsExactly(Reason.RULES_NOT_WRITTEN, Reason.KERNEL_UNREACHABLE, Reason.BUG);
    }

    private static Finding finding(String object) {
        return new Finding(
                Finding.Severity.ERROR, object, "https://a:6443", "spec.x", "is odd", "ignored");
    }

    @Test
    void a_finding_is_told_on_its_object_if_that_can_be_looked_up() {
        assertThat(Notices.of(finding("Service shop/web")))
                .contains(
                        Notice.ofService(
                                Sample.name("web"), Reason.UNUSABLE, "spec.x: is odd; ignored"));
        assertThat(Notices.of(finding("EndpointSlice shop/web-1")).orElseThrow().subject())
                .isEqualTo(new Notice.Subject.OfSlice("shop", "web-1"));
        assertThat(Notices.of(finding("API server"))).isEmpty();
        assertThat(Notices.of(finding("Service shop/(without name)"))).isEmpty();
        assertThat(Notices.of(finding("configuration"))).isEmpty();
    }
}
