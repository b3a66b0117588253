package dev.pointsman.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NoticeLedgerTest {
    private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");
    private static final Notice REFUSED = of("bad", Reason.RULES_REFUSED);

    private Instant now = START;
    private long nanos = 1_000_000_000_000L;
    private final NoticeLedger ledger = new NoticeLedger(moment());
    private final List<NoticeLedger.Entry> written = new ArrayList<>();

    private static Notice of(String service, Reason reason) {
        return Notice.ofService(new ServiceName("shop", service), reason, "it is so");
    }

    private Moment moment() {
        return new Moment(now, nanos);
    }

    private void hears(Notice notice) {
        ledger.heard(notice, moment()).ifPresent(written::add);
    }

    private void passes(Duration time) {
        now = now.plus(time);
        nanos += time.toNanos();
        written.addAll(ledger.due(moment()));
    }

    private List<Integer> counts() {
        return written.stream().map(NoticeLedger.Entry::count).toList();
    }

    @Test
    void repetitions_are_one_series_whose_count_is_told_at_its_second_and_at_its_end() {
        for (int second = 0; second < 5; second++) {
            hears(REFUSED);
            passes(Duration.ofSeconds(1));
        }
        assertThat(counts()).containsExactly(1, 2);
        passes(Duration.ofSeconds(358));
        assertThat(counts()).hasSize(2);
        passes(Duration.ofSeconds(1));
        assertThat(written.getLast())
                .isEqualTo(new NoticeLedger.Entry(REFUSED, START, 5, START.plusSeconds(4)));
        passes(Duration.ofHours(1));
        assertThat(written).hasSize(3);
    }

    @Test
    void what_comes_back_after_a_rest_is_a_new_series() {
        hears(REFUSED);
        passes(Duration.ofMinutes(6));
        hears(REFUSED);
        assertThat(written.getLast()).isEqualTo(new NoticeLedger.Entry(REFUSED, now, 1, now));
    }

    @Test
    void a_series_that_goes_on_is_told_every_half_hour_so_that_its_event_does_not_expire() {
        hears(REFUSED);
        hears(REFUSED);
        for (int minute = 0; minute < 90; minute++) {
            passes(Duration.ofMinutes(1));
            hears(REFUSED);
        }
        assertThat(counts()).containsExactly(1, 2, 31, 61, 91);
    }

    @Test
    void what_every_node_finds_is_counted_by_none() {
        Notice conflict = of("web", Reason.CONFLICT);
        hears(conflict);
        hears(conflict);
        passes(Duration.ofHours(1));
        assertThat(counts()).containsExactly(1);
    }

    @Test
    void every_conflict_of_a_service_is_told_once() {
        ServiceName web = new ServiceName("shop", "web");
        Notice http = Notice.ofService(web, Reason.CONFLICT, "192.0.2.1:80/tcp is not served");
        Notice https = Notice.ofService(web, Reason.CONFLICT, "192.0.2.1:443/tcp is not served");
        hears(http);
        hears(https);
        hears(http);
        passes(Duration.ofHours(1));
        assertThat(written).extracting(NoticeLedger.Entry::notice).containsExactly(http, https);
    }

    @Test
    void what_one_node_finds_is_one_series_whatever_its_kernel_says() {
        hears(REFUSED);
        hears(Notice.ofService(new ServiceName("shop", "bad"), REFUSED.reason(), "in other words"));
        assertThat(counts()).containsExactly(1, 2);
    }

    @Test
    void another_reason_or_another_object_is_another_series() {
        hears(REFUSED);
        hears(of("bad", Reason.RULES_ACCEPTED));
        hears(of("good", Reason.RULES_REFUSED));
        assertThat(counts()).containsExactly(1, 1, 1);
    }

    @Test
    void ten_thousand_odd_services_make_few_events_and_one_that_says_so() {
        for (int i = 0; i < 10_000; i++) {
            hears(of("s" + i, Reason.UNUSABLE));
        }
        assertThat(written).hasSize(25);
        passes(Duration.ofSeconds(59));
        assertThat(written).hasSize(25);
        passes(Duration.ofSeconds(1));
        assertThat(written).hasSize(26);
        assertThat(written.getLast().notice().reason()).isEqualTo(Reason.WITHHELD);
        passes(Duration.ofHours(1));
        assertThat(written).hasSize(26);
    }

    @Test
    void a_flood_that_goes_on_gets_one_event_a_minute() {
        for (int second = 0; second < 3600; second++) {
            hears(of("s" + second, Reason.UNUSABLE));
            passes(Duration.ofSeconds(1));
        }
        assertThat(written).hasSizeBetween(80, 25 + 60);
    }

    @Test
    void a_wall_clock_that_jumps_back_withholds_nothing_and_keeps_no_series_open() {
        for (int i = 0; i < NoticeLedger.BURST; i++) {
            hears(of("s" + i, Reason.UNUSABLE));
        }
        now = now.minus(Duration.ofDays(1));
        passes(NoticeLedger.QUIET);
        hears(of("s0", Reason.UNUSABLE));
        assertThat(written.getLast())
                .isEqualTo(new NoticeLedger.Entry(of("s0", Reason.UNUSABLE), now, 1, now));
    }

    @Test
    void what_was_lost_before_is_said() {
        ledger.lost();
        passes(Duration.ZERO);
        passes(Duration.ZERO);
        assertThat(written)
                .extracting(entry -> entry.notice().reason())
                .containsExactly(Reason.WITHHELD);
    }
}
