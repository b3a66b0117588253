package dev.pointsman.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.store.Outlook;
import dev.pointsman.store.Sample;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Behaviour document 6.1, over HTTP.
@Timeout(60)
final class HealthPagesTest {
    private static final Instant START = Instant.parse("2026-11-30T08:00:00Z");
    private static final String NEVER = "0001-01-01T00:00:00Z";

    private final HttpThread http = new HttpThread(Limits.DEFAULT, _ -> {});
    private volatile Duration passed = Duration.ZERO;
    private volatile Duration jumped = Duration.ZERO;
    private volatile long unread = Long.MAX_VALUE;
    private final Health health =
            new Health(
                    Sample.FAMILIES,
                    Duration.ofSeconds(60),
                    this::nanos,
                    () -> START.plus(passed).plus(jumped),
                    () -> unread);
    private final Metrics metrics =
            new Metrics("nftables", Sample.FAMILIES, new Graphs(), this::nanos, START);
    private InetSocketAddress at = Web.anyPort();

    private long nanos() {
        return 1_000_000_000L + passed.toNanos();
    }

    @BeforeEach
    void open() throws Exception {
        at = http.open(Web.anyPort(), new HealthPages(health, metrics)).address();
    }

    @AfterEach
    void close() {
        http.close();
    }

    private void inPlace() {
        health.node(Outlook.STAYS);
        Sample.FAMILIES.forEach(health::settled);
    }

    @Test
    void a_wall_clock_that_jumps_makes_nobody_unhealthy_and_nobody_healthy() throws Exception {
        inPlace();
        health.queued(Family.IPV4, nanos());
        for (int hours : new int[] {5, -5, 0}) {
            jumped = Duration.ofHours(hours);
            assertThat(status("/healthz")).as("%d hours", hours).isEqualTo(200);
        }
        passed = Duration.ofSeconds(60);
        for (int hours : new int[] {5, -5, 0}) {
            jumped = Duration.ofHours(hours);
            assertThat(status("/healthz")).as("%d hours", hours).isEqualTo(503);
        }
    }

    private int status(String path) throws Exception {
        return Web.get(at, path).statusCode();
    }

    @Test
    void the_bodies_and_headers_are_those_of_kube_proxy() throws Exception {
        inPlace();
        passed = Duration.ofMillis(1500);
        HttpResponse<String> healthz = Web.get(at, "/healthz");
        assertThat(healthz.statusCode()).isEqualTo(200);
        assertThat(healthz.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(healthz.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(healthz.body())
                .isEqualTo(
                        "{\"lastUpdated\":\"T\",\"currentTime\":\"T\",\"nodeEligible\":true,\"healthy\":true,\"status\":{\"IPv4\":{\"lastUpdated\":\"S\",\"healthy\":true},\"IPv6\":{\"lastUpdated\":\"S\",\"healthy\":true}}}"
                                .replace("\"S\"", "\"2026-11-30T08:00:00Z\"")
                                .replace("\"T\"", "\"2026-11-30T08:00:01.500Z\""));
        HttpResponse<String> livez = Web.get(at, "/livez");
        assertThat(livez.statusCode()).isEqualTo(200);
        assertThat(livez.headers().map()).containsKey("x-content-type-options");
        assertThat(livez.body()).isEqualTo(healthz.body().replace("\"nodeEligible\":true,", ""));
        assertThat(status("/")).isEqualTo(404);
    }

    @Test
    void who_has_nothing_to_do_is_healthy_for_ever_and_never_looks_stale() throws Exception {
        inPlace();
        passed = Duration.ofDays(30);
        HttpResponse<String> healthz = Web.get(at, "/healthz");
        assertThat(healthz.statusCode()).isEqualTo(200);
        assertThat(healthz.body())
                .startsWith("{\"lastUpdated\":\"2026-12-30T08:00:00Z\"")
                .contains("\"IPv4\":{\"lastUpdated\":\"2026-11-30T08:00:00Z\",\"healthy\":true}");

        // The clock of the loop may stand anywhere, below zero as well.
        passed = Duration.ofDays(-30);
        assertThat(status("/healthz")).isEqualTo(200);
    }

    @Test
    void what_is_queued_for_twice_the_sync_period_makes_unhealthy() throws Exception {
        inPlace();
        passed = Duration.ofMinutes(10);
        health.queued(Family.IPV6, nanos());
        passed = passed.plusMillis(59_999);
        assertThat(status("/healthz")).isEqualTo(200);
        // Whatever is queued after it does not make it any younger.
        health.queued(Family.IPV6, nanos());
        passed = passed.plusMillis(1);
        assertThat(status("/livez")).isEqualTo(503);
        HttpResponse<String> healthz = Web.get(at, "/healthz");
        assertThat(healthz.statusCode()).isEqualTo(503);
        assertThat(healthz.body())
                .isEqualTo(
                        "{\"lastUpdated\":\"2026-11-30T08:00:00Z\",\"currentTime\":\"2026-11-30T08:11:00Z\",\"nodeEligible\":true,\"healthy\":false,\"status\":{\"IPv4\":{\"lastUpdated\":\"2026-11-30T08:00:00Z\",\"healthy\":true},\"IPv6\":{\"lastUpdated\":\"2026-11-30T08:00:00Z\",\"healthy\":false}}}");

        health.settled(Family.IPV6);
        assertThat(status("/healthz")).isEqualTo(200);
        assertThat(status("/livez")).isEqualTo(200);
    }

    @Test
    void a_loop_that_does_not_get_to_new_facts_is_unhealthy() throws Exception {
        inPlace();
        unread = nanos();
        passed = Duration.ofSeconds(59);
        assertThat(status("/livez")).isEqualTo(200);
        passed = Duration.ofSeconds(60);
        assertThat(status("/livez")).isEqualTo(503);
    }

    @Test
    void a_node_that_will_go_loses_its_traffic_and_not_its_proxy() throws Exception {
        inPlace();
        for (Outlook outlook : new Outlook[] {Outlook.BEING_DELETED, Outlook.TO_BE_TAKEN_DOWN}) {
            health.node(outlook);
            HttpResponse<String> healthz = Web.get(at, "/healthz");
            assertThat(healthz.statusCode()).isEqualTo(503);
            assertThat(healthz.body()).contains("\"nodeEligible\":false,\"healthy\":true");
            assertThat(status("/livez")).isEqualTo(200);
        }
        health.node(Outlook.STAYS);
        assertThat(status("/healthz")).isEqualTo(200);
    }

    @Test
    void before_the_node_is_seen_and_has_rules_it_gets_no_traffic() throws Exception {
        assertThat(status("/healthz")).isEqualTo(503);
        assertThat(status("/livez")).isEqualTo(200);
        health.node(Outlook.STAYS);
        assertThat(status("/healthz")).isEqualTo(503);
        health.settled(Family.IPV4);
        assertThat(status("/healthz")).isEqualTo(503);
        health.settled(Family.IPV6);
        assertThat(status("/healthz")).isEqualTo(200);
    }

    @Test
    void a_family_that_never_had_its_rules_says_so() throws Exception {
        health.queued(Family.IPV4, nanos());
        passed = Duration.ofMinutes(2);
        assertThat(Web.get(at, "/livez").body())
                .contains("\"IPv4\":{\"lastUpdated\":\"" + NEVER + "\",\"healthy\":false}");
    }

    @Test
    void answers_are_counted_by_status() throws Exception {
        status("/healthz");
        inPlace();
        status("/healthz");
        status("/livez");
        assertThat(metrics.page().body())
                .contains(
                        "kubeproxy_proxy_healthz_total{code=\"200\"} 1.0",
                        "kubeproxy_proxy_healthz_total{code=\"503\"} 1.0",
                        "kubeproxy_proxy_livez_total{code=\"200\"} 1.0");
    }
}
