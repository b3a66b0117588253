package dev.pointsman.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.Settings;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Sample;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class SyncTest {
    private static final ServiceName WEB = Sample.name("web");
    private static final ServiceName BAD = Sample.name("bad");

    private final TwoFamilies node = new TwoFamilies();
    private final InMemoryKernel v4 = node.v4();
    private final InMemoryKernel v6 = node.v6();
    private final List<SyncReport> reports = node.reports();

    /// Sleeps and works as the loop does, until `time` has passed.
    private void pass(Duration time) {
        long end = node.now() + time.toNanos();
        long due = node.sync().step();
        while (due <= end) {
            node.rest(Duration.ofNanos(Math.max(0, due - node.now())));
            due = node.sync().step();
        }
        node.rest(Duration.ofNanos(end - node.now()));
    }

    private List<Frontend> frontends(InMemoryKernel kernel) {
        return List.copyOf(kernel.held().frontends().keySet());
    }

    private static Frontend at(String address) {
        return new Frontend.Address(IpAddress.parse(address), Protocol.TCP, 80);
    }

    /// kube-proxy ends instead, and leaves it to its supervisor to begin with the new ranges.
    @Test
    void other_pod_ranges_of_the_node_take_effect_at_once() {
        Settings ofNode =
                Settings.nftablesDefaults().withDetectLocal(new Settings.DetectLocal.NodeRanges());
        node.sync().reconfigure(ofNode, Pace.DEFAULT, node.now());
        node.list();
        for (String range : List.of("10.244.1.0/24", "10.244.9.0/24")) {
            NodeView sample = Sample.node("node-a");
            node.take(
                    new ClusterEvent.NodeSeen(
                            new NodeView(
                                    sample.name(),
                                    sample.zone(),
                                    sample.addresses(),
                                    List.of(Cidr.parse(range)))));
            node.sync().step();
            assertThat(v4.held().node()).asString().contains(range);
        }
    }

    @Test
    void nothing_is_written_before_services_and_slices_are_listed_and_the_node_is_known() {
        Sample.cluster().forEach(node::take);
        pass(Duration.ofHours(1));
        assertThat(v4.reads() + v6.reads() + v4.attempts() + v6.attempts()).isZero();

        node.sync().listed();
        node.sync().step();
        assertThat(frontends(v4)).containsExactly(at("10.96.0.1"));
        assertThat(frontends(v6)).containsExactly(at("fd00:96::1"));
    }

    @Test
    void the_node_is_waited_for() {
        node.sync().listed();
        node.take(new ClusterEvent.ServiceSeen(Sample.service("web", 1)));
        pass(Duration.ofHours(1));
        assertThat(v4.reads()).isZero();
        assertThat(reports).containsExactly(new SyncReport.AwaitingNode("node-a"));

        node.take(new ClusterEvent.NodeSeen(Sample.node("node-a")));
        node.sync().step();
        assertThat(frontends(v4)).containsExactly(at("10.96.0.1"));
    }

    @Test
    void start_writes_nothing_when_the_kernel_already_holds_it_all() {
        node.list();
        node.begin(Pace.DEFAULT);
        reports.clear();
        node.list();
        assertThat(v4.commits()).isEqualTo(1);
        assertThat(reports)
                .contains(new SyncReport.FoundInPlace(Family.IPV4, 1))
                .noneMatch(SyncReport.Committed.class::isInstance);
    }

    @Test
    void a_burst_is_one_commit_and_reads_nothing() {
        node.list();
        for (int i = 10; i < 20; i++) {
            node.take(new ClusterEvent.ServiceSeen(Sample.service("s" + i, i)));
        }
        node.sync().step();
        assertThat(v4.commits()).isEqualTo(2);
        assertThat(v4.reads()).isEqualTo(1);
        assertThat(frontends(v4)).hasSize(11);
    }

    @Test
    void min_sync_period_holds_the_second_commit_back_and_not_the_first() {
        node.begin(Pace.DEFAULT.withMinSyncPeriod(Duration.ofSeconds(1)));
        node.list();
        pass(Duration.ofSeconds(5));
        node.take(new ClusterEvent.ServiceSeen(Sample.service("a", 2)));
        node.sync().step();
        assertThat(v4.commits()).isEqualTo(2);

        for (int i = 10; i < 20; i++) {
            node.take(new ClusterEvent.ServiceSeen(Sample.service("s" + i, i)));
            pass(Duration.ofMillis(90));
        }
        assertThat(v4.commits()).isEqualTo(2);
        pass(Duration.ofMillis(100));
        assertThat(v4.commits()).isEqualTo(3);
        assertThat(frontends(v4)).hasSize(12);
    }

    @Test
    void an_idle_hour_writes_nothing_and_audits_every_ten_minutes() {
        node.list();
        pass(Duration.ofHours(1));
        assertThat(v4.attempts()).isEqualTo(1);
        assertThat(v4.reads()).isEqualTo(1 + 6);
    }

    @Test
    void an_event_that_changes_no_rule_writes_nothing() {
        node.list();
        node.take(new ClusterEvent.NodeSeen(Sample.node("node-b")));
        node.take(new ClusterEvent.SliceSeen(Sample.slice("other", "unknown", "10.1.0.9")));
        Sample.cluster().forEach(node::take);
        pass(Duration.ofSeconds(2));
        assertThat(v4.attempts()).isEqualTo(1);
    }

    @Test
    void a_failure_is_retried_after_1_2_4_and_at_most_30_seconds_for_ever() {
        v4.is(InMemoryKernel.Mood.BUSY);
        node.list();
        pass(Duration.ofMinutes(3));
        assertThat(reports.stream().filter(SyncReport.Failed.class::isInstance))
                .extracting(r -> ((SyncReport.Failed) r).retryAfter().toSeconds())
                .containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L, 30L, 30L);

        v4.is(InMemoryKernel.Mood.WELL);
        pass(Duration.ofSeconds(30));
        assertThat(frontends(v4)).containsExactly(at("10.96.0.1"));
        assertThat(v4.commits()).isEqualTo(1);
    }

    @Test
    void after_a_failure_changes_are_small_again() {
        v4.is(InMemoryKernel.Mood.REFUSING_EVERYTHING);
        node.list();
        v4.is(InMemoryKernel.Mood.WELL);
        pass(Duration.ofSeconds(1));
        int reads = v4.reads();
        node.take(new ClusterEvent.ServiceSeen(Sample.service("more", 2)));
        node.sync().step();
        assertThat(v4.reads()).isEqualTo(reads);
        assertThat(frontends(v4)).hasSize(2);
    }

    @Test
    void one_family_failing_does_not_stop_the_other() {
        v4.is(InMemoryKernel.Mood.UNREACHABLE);
        node.list();
        node.take(new ClusterEvent.ServiceSeen(Sample.service("more", 2)));
        node.sync().step();
        assertThat(frontends(v6)).hasSize(2);
        assertThat(node.sync().outcome()).isEqualTo(new Outcome.Failing());
        v4.is(InMemoryKernel.Mood.WELL);
        pass(Duration.ofSeconds(2));
        assertThat(frontends(v4)).hasSize(2);
    }

    @Test
    void a_torn_commit_and_a_broken_backend_are_repaired() {
        for (InMemoryKernel.Mood mood :
                List.of(InMemoryKernel.Mood.TEARING, InMemoryKernel.Mood.BROKEN)) {
            v4.losesEverything();
            node.begin(Pace.DEFAULT);
            v4.is(mood);
            node.list();
            assertThat(frontends(v4)).isEmpty();
            v4.is(InMemoryKernel.Mood.WELL);
            pass(Duration.ofSeconds(1));
            assertThat(frontends(v4)).as(mood.toString()).containsExactly(at("10.96.0.1"));
        }
        assertThat(reports).anyMatch(r -> r.toString().contains("a bug in Pointsman"));
    }

    @Test
    void a_service_that_tears_the_first_commit_is_set_aside_without_a_wait() {
        v4.refuses(BAD);
        v4.is(InMemoryKernel.Mood.TEARING);
        node.take(new ClusterEvent.ServiceSeen(Sample.service("bad", 2)));
        node.list();
        assertThat(frontends(v4)).containsExactly(at("10.96.0.1"));
        assertThat(node.sync().outcome())
                .isEqualTo(new Outcome.InPlace(new TreeSet<>(List.of(BAD))));
    }

    /// Somebody flushed between two steps of a change.
    @Test
    void a_change_torn_by_somebody_else_is_repaired_without_a_wait() {
        v4.refuses(BAD);
        node.list();
        v4.is(InMemoryKernel.Mood.TEARING);
        v4.losesEverything();
        node.take(new ClusterEvent.ServiceSeen(Sample.service("more", 2)));
        node.sync().step();
        assertThat(frontends(v4)).hasSize(2);
    }

    /// Somebody flushed between the reading that a repair begins with and its commit.
    @Test
    void a_repair_overtaken_by_somebody_else_begins_again_without_a_wait() {
        node.take(new ClusterEvent.ServiceSeen(Sample.service("more", 2)));
        node.list();
        v4.loses(at("10.96.0.1"));
        v4.onRead(
                () -> {
                    v4.losesEverything();
                    v4.onRead(() -> {});
                });
        pass(Pace.DEFAULT.audit());
        assertThat(frontends(v4)).hasSize(2);
        assertThat(reports).noneMatch(SyncReport.Failed.class::isInstance);
    }

    @Test
    void a_service_is_set_aside_only_when_it_is_refused_once_more() {
        v4.onRead(
                () -> {
                    v4.refuses(BAD);
                    v4.onRead(() -> v4.accepts(BAD));
                });
        node.take(new ClusterEvent.ServiceSeen(Sample.service("bad", 2)));
        node.list();
        assertThat(frontends(v4)).hasSize(2);
        assertThat(reports).noneMatch(SyncReport.SetAside.class::isInstance);
    }

    @Test
    void a_refused_service_is_set_aside_and_all_others_go_in() {
        v4.refuses(BAD);
        node.take(new ClusterEvent.ServiceSeen(Sample.service("bad", 2)));
        node.list();
        assertThat(frontends(v4)).containsExactly(at("10.96.0.1"));
        assertThat(frontends(v6)).hasSize(2);
        assertThat(reports)
                .contains(
                        new SyncReport.SetAside(
                                Family.IPV4,
                                BAD,
                                "object 7",
                                "No space left on device",
                                Duration.ofSeconds(1)));
        assertThat(node.sync().outcome())
                .isEqualTo(new Outcome.InPlace(new TreeSet<>(List.of(BAD))));

        int reads = v4.reads();
        int commits = v4.commits();
        pass(Duration.ofMinutes(2));
        assertThat(v4.reads()).isEqualTo(reads);
        assertThat(v4.commits()).isEqualTo(commits);
        assertThat(reports.stream().filter(SyncReport.SetAside.class::isInstance))
                .extracting(r -> ((SyncReport.SetAside) r).retryAfter().toSeconds())
                .containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L);

        v4.accepts(BAD);
        pass(Duration.ofSeconds(30));
        assertThat(frontends(v4)).hasSize(2);
        assertThat(reports).contains(new SyncReport.Restored(Family.IPV4, BAD));
    }

    @Test
    void a_service_set_aside_is_tried_again_as_soon_as_it_changes() {
        v4.refuses(BAD);
        node.take(new ClusterEvent.ServiceSeen(Sample.service("bad", 2)));
        node.list();
        v4.accepts(BAD);
        node.take(new ClusterEvent.SliceSeen(Sample.slice("bad-1", "bad", "10.1.0.2")));
        node.sync().step();
        assertThat(frontends(v4)).hasSize(2);
    }

    @Test
    void a_service_set_aside_that_is_deleted_is_forgotten() {
        v4.refuses(BAD);
        node.take(new ClusterEvent.ServiceSeen(Sample.service("bad", 2)));
        node.list();
        node.take(new ClusterEvent.ServiceGone(BAD));
        node.sync().step();
        assertThat(node.sync().outcome()).isEqualTo(new Outcome.InPlace(new TreeSet<>()));
        assertThat(reports).doesNotContain(new SyncReport.Restored(Family.IPV4, BAD));
    }

    @Test
    void twenty_refused_services_do_not_keep_the_others_out() {
        for (int i = 10; i < 30; i++) {
            v4.refuses(Sample.name("s" + i));
            node.take(new ClusterEvent.ServiceSeen(Sample.service("s" + i, i)));
        }
        node.list();
        pass(Duration.ofSeconds(1));
        assertThat(frontends(v4)).containsExactly(at("10.96.0.1"));
    }

    @Test
    void a_change_refused_because_the_kernel_was_changed_by_others_sets_nobody_aside() {
        node.list();
        v4.loses(at("10.96.0.1"));
        node.take(new ClusterEvent.SliceSeen(Sample.slice("web-1", "web", "10.1.0.1", "10.1.0.2")));
        node.sync().step();
        assertThat(reports).noneMatch(SyncReport.SetAside.class::isInstance);
        assertThat(frontends(v4)).containsExactly(at("10.96.0.1"));
    }

    @Test
    void removed_rules_are_back_within_a_second() {
        node.list();
        pass(Duration.ofSeconds(100));
        v4.losesEverything();
        pass(Duration.ofSeconds(1));
        assertThat(frontends(v4)).containsExactly(at("10.96.0.1"));
        assertThat(reports).contains(new SyncReport.Removed(Family.IPV4));
    }

    @Test
    void the_longer_a_look_takes_the_fewer_are_taken_but_one_a_second_at_least() {
        node.list();
        pass(Duration.ofSeconds(60));
        int quick = v4.looks();
        assertThat(quick).isBetween(299, 300);
        v4.onLook(() -> node.rest(Duration.ofMillis(5)));
        pass(Duration.ofSeconds(60));
        assertThat(v4.looks() - quick).isBetween(119, 121);
        int slow = v4.looks();
        v4.onLook(() -> node.rest(Duration.ofMillis(100)));
        pass(Duration.ofSeconds(60));
        assertThat(v4.looks() - slow).isBetween(59, 61);
    }

    @Test
    void a_single_missing_frontend_is_back_a_second_after_somebody_changed_rules() {
        node.list();
        pass(Duration.ofSeconds(100));
        v4.loses(at("10.96.0.1"));
        v4.getsDisturbed();
        pass(Duration.ofSeconds(2));
        assertThat(frontends(v4)).containsExactly(at("10.96.0.1"));
        assertThat(reports).doesNotContain(new SyncReport.Removed(Family.IPV4));
    }

    @Test
    void others_who_change_their_rules_make_us_read_but_never_write() {
        node.list();
        int commits = v4.commits();
        int reads = v4.reads();
        for (int i = 0; i < 20; i++) {
            v4.getsDisturbed();
            pass(Duration.ofSeconds(1));
        }
        assertThat(v4.commits()).isEqualTo(commits);
        assertThat(v4.reads()).isGreaterThan(reads).isLessThanOrEqualTo(reads + 21);
    }

    @Test
    void the_audit_finds_a_single_missing_frontend_even_under_steady_change() {
        node.list();
        v4.loses(at("10.96.0.1"));
        for (int i = 0; i < 601; i++) {
            node.take(
                    new ClusterEvent.SliceSeen(
                            Sample.slice("other-1", "other", "10.1.1." + i % 200)));
            pass(Duration.ofSeconds(1));
        }
        assertThat(frontends(v4)).containsExactly(at("10.96.0.1"));
    }

    @Test
    void a_changed_node_or_service_range_is_planned_into_every_rule() {
        node.list();
        node.take(new ClusterEvent.ServiceRangesSeen("k", List.of(Cidr.parse("10.96.0.0/16"))));
        node.take(
                new ClusterEvent.NodeSeen(
                        new NodeView(
                                "node-a", "", List.of(IpAddress.parse("192.0.2.9")), List.of())));
        node.take(new ClusterEvent.ServiceGone(WEB));
        node.sync().step();
        assertThat(v4.commits()).isEqualTo(2);
        assertThat(frontends(v4)).isEmpty();
        assertThat(v4.held().node())
                .isInstanceOfSatisfying(
                        NodeRules.Programmed.class,
                        rules ->
                                assertThat(rules.serviceRanges())
                                        .containsExactly(Cidr.parse("10.96.0.0/16")));
    }

    @Test
    void the_loser_of_a_conflict_is_named_and_takes_over_when_the_winner_goes() {
        List<IpAddress> external = List.of(IpAddress.parse("198.51.100.1"));
        node.take(new ClusterEvent.ServiceSeen(Sample.service("first", 3, external)));
        node.take(new ClusterEvent.ServiceSeen(Sample.service("second", 4, external)));
        node.list();
        assertThat(reports)
                .anySatisfy(
                        r ->
                                assertThat(r)
                                        .hasToString(
                                                "IPv4: 198.51.100.1:80/tcp is claimed more than"
                                                        + " once: shop/first:http has it, not"
                                                        + " served for shop/second:http"));
        node.take(new ClusterEvent.ServiceGone(Sample.name("first")));
        node.sync().step();
        assertThat(v4.held().frontends().get(at("198.51.100.1")))
                .satisfies(t -> assertThat(t.owner().service()).isEqualTo(Sample.name("second")));
    }

    @Test
    void stages_and_latency_are_measured() {
        node.list();
        node.take(new ClusterEvent.ServiceSeen(Sample.service("more", 2)));
        node.rest(Duration.ofMillis(5));
        node.sync().step();
        assertThat(node.sync().stages().histogram(Stages.Stage.EVENT_TO_COMMIT).getMaxValue())
                .isBetween(4900L, 5100L);
        assertThat(node.sync().stages().toString()).contains("commit p50", "event to commit");
    }

    @Test
    void rules_stay_when_the_loop_is_closed() {
        node.list();
        RuleGraph held = v4.held();
        node.sync().close();
        assertThat(v4.held()).isEqualTo(held);
        assertThat(held.frontends()).isNotEmpty();
    }

    private static Settings masquerading(int bit) {
        Settings defaults = Settings.nftablesDefaults();
        return new Settings(
                defaults.detectLocal(),
                bit,
                defaults.masquerade(),
                defaults.nodePortAddresses(),
                defaults.clusterIpGuard(),
                defaults.externalIps(),
                defaults.serviceRanges(),
                defaults.ipvs());
    }

    private static int mark(InMemoryKernel kernel) {
        return kernel.held().node() instanceof NodeRules.Programmed programmed
                ? programmed.masqueradeMark()
                : 0;
    }

    @Test
    void other_settings_are_in_the_kernel_at_once_and_in_one_commit() {
        node.list();
        int commits = v4.commits();
        node.sync().reconfigure(masquerading(3), Pace.DEFAULT, node.now());
        assertThat(mark(v4)).isEqualTo(1 << 3);
        assertThat(mark(v6)).isEqualTo(1 << 3);
        assertThat(v4.commits()).isEqualTo(commits + 1);
        assertThat(frontends(v4)).containsExactly(at("10.96.0.1"));

        node.sync().reconfigure(masquerading(3), Pace.DEFAULT, node.now());
        assertThat(v4.commits()).isEqualTo(commits + 1);
    }

    @Test
    void settings_that_change_before_the_start_are_those_of_the_start() {
        node.sync().reconfigure(masquerading(5), Pace.DEFAULT, node.now());
        assertThat(v4.attempts()).isZero();
        node.list();
        assertThat(mark(v4)).isEqualTo(1 << 5);
        assertThat(v4.commits()).isEqualTo(1);
    }

    @Test
    void another_pace_counts_from_the_next_change_on() {
        node.list();
        node.sync()
                .reconfigure(
                        Settings.nftablesDefaults(),
                        Pace.DEFAULT.withMinSyncPeriod(Duration.ofSeconds(20)),
                        node.now());
        pass(Duration.ofSeconds(1));
        node.take(new ClusterEvent.ServiceSeen(Sample.service("b", 2)));
        node.sync().step();
        assertThat(frontends(v4)).hasSize(2);
        node.take(new ClusterEvent.ServiceSeen(Sample.service("c", 3)));
        pass(Duration.ofSeconds(19));
        assertThat(frontends(v4)).hasSize(2);
        pass(Duration.ofSeconds(2));
        assertThat(frontends(v4)).hasSize(3);
    }
}
