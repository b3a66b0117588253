package dev.pointsman.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.config.ServerAddress;
import dev.pointsman.config.Servers;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.notice.Heard;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Outlook;
import dev.pointsman.store.Sample;
import dev.pointsman.sync.InMemoryKernel;
import dev.pointsman.sync.Rehearsed;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// All servers around one loop.
@Timeout(60)
final class NodeServersTest {
    private static final Instant START = Instant.parse("2026-11-05T08:00:00Z");

    private final InMemoryKernel v4 = new InMemoryKernel(Family.IPV4);
    private final Heard heard = new Heard();
    private final List<Integer> verbosities = new ArrayList<>();
    private Duration passed = Duration.ZERO;
    private final AtomicLong nanos = new AtomicLong(1_000_000_000_000L);
    private final int healthz;
    private final int metrics;

    NodeServersTest() throws Exception {
        try (ServerSocket one = new ServerSocket(0);
                ServerSocket other = new ServerSocket(0)) {
            healthz = one.getLocalPort();
            metrics = other.getLocalPort();
        }
    }

    private NodeServers servers(Servers servers) {
        return servers(servers, List.of(Family.IPV4));
    }

    private NodeServers servers(Servers servers, List<Family> families) {
        return new NodeServers(
                new NodeServers.Subject(
                        servers,
                        "nftables",
                        families,
                        Duration.ofSeconds(60),
                        new Program(
                                "0.7",
                                "25.0.1",
                                () -> "{\"kubeproxy.config.k8s.io\": {}}\n",
                                () -> new TreeMap<>(Map.of("v", "2", "cluster-cidr", ""))),
                        InMemoryKernel::new),
                new NodeServers.World(
                        nanos::get, () -> START.plus(passed), heard, verbosities::add),
                new HttpThread(Limits.DEFAULT, _ -> {}),
                TreeSet::new);
    }

    private Servers serving(String metricsHost) {
        return new Servers(
                IpAddress.parse("0.0.0.0"),
                Servers.BusyPort.TRIED_AGAIN,
                new ServerAddress.At(IpAddress.parse("127.0.0.1"), healthz),
                new ServerAddress.At(IpAddress.parse(metricsHost), metrics),
                Servers.DebugPages.ON_LOOPBACK);
    }

    private Rehearsed loop(NodeServers servers) {
        return loop(servers, Map.of(Family.IPV4, v4));
    }

    private static Rehearsed loop(NodeServers servers, Map<Family, Dataplane> kernels) {
        return new Rehearsed(new TreeMap<>(kernels), servers::count, servers.notes());
    }

    private HttpResponse<String> operator(String path) throws Exception {
        return Web.get(Addresses.socket(IpAddress.parse("127.0.0.1"), metrics), path);
    }

    /// Lets time pass, second by second, for the loop and its servers.
    private void passes(Rehearsed loop, Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            nanos.addAndGet(1_000_000_000);
            loop.passes(Duration.ofSeconds(1));
        }
    }

    private String livez() throws Exception {
        return Web.get(Addresses.socket(IpAddress.parse("127.0.0.1"), healthz), "/livez").body();
    }

    private int health(String path) throws Exception {
        return Web.get(Addresses.socket(IpAddress.parse("127.0.0.1"), healthz), path).statusCode();
    }

    @Test
    void operators_see_metrics_mode_and_configuration() throws Exception {
        try (NodeServers servers = servers(serving("127.0.0.1"))) {
            Rehearsed loop = loop(servers);
            assertThat(servers.open(loop.stages(), () -> Long.MAX_VALUE)).isEmpty();
            loop.starts(Sample.cluster());
            HttpResponse<String> page = operator("/metrics");
            assertThat(page.headers().firstValue("Content-Type"))
                    .contains("text/plain; version=0.0.4; charset=utf-8");
            assertThat(page.body())
                    .contains(
                            "pointsman_frontends{ip_family=\"IPv4\"} 1.0",
                            "pointsman_stage_duration_seconds_count{stage=\"commit\"} 1");
            assertThat(operator("/healthz").body()).isEqualTo("ok");
            assertThat(operator("/proxyMode").body()).isEqualTo("nftables");
            assertThat(operator("/configz").headers().firstValue("Content-Type"))
                    .contains("application/json");
            assertThat(operator("/configz").body()).contains("kubeproxy.config.k8s.io");
            assertThat(operator("/").statusCode()).isEqualTo(404);
            assertThat(heard.lines()).isEmpty();
        }
    }

    @Test
    void the_process_is_measured_under_the_names_that_every_process_has() throws Exception {
        try (NodeServers servers = servers(serving("127.0.0.1"))) {
            servers.open(loop(servers).stages(), () -> Long.MAX_VALUE);
            assertThat(operator("/metrics").body())
                    .containsPattern("process_cpu_seconds_total \\d")
                    .containsPattern("process_resident_memory_bytes [1-9]")
                    .containsPattern("process_virtual_memory_bytes [1-9]")
                    .containsPattern("process_open_fds [1-9]")
                    .containsPattern("process_max_fds [1-9]")
                    .containsPattern("process_start_time_seconds [1-9]")
                    .contains("pointsman_build_info{java_version=\"25.0.1\",version=\"0.7\"} 1");
        }
    }

    @Test
    void the_indicators_count_who_asks_whether_the_process_lives() throws Exception {
        try (NodeServers servers = servers(serving("127.0.0.1"))) {
            servers.open(loop(servers).stages(), () -> Long.MAX_VALUE);
            String started = "process_start_time_seconds 1.7938656E9";
            assertThat(operator("/metrics/slis").body())
                    .contains(started)
                    .doesNotContain("kubernetes_healthcheck");
            operator("/healthz");
            operator("/healthz");
            HttpResponse<String> page = operator("/metrics/slis");
            assertThat(page.headers().firstValue("Content-Type"))
                    .contains("text/plain; version=0.0.4; charset=utf-8");
            assertThat(page.body())
                    .contains(
                            started,
                            "kubernetes_healthcheck{name=\"ping\",type=\"healthz\"} 1.0",
                            "kubernetes_healthchecks_total{name=\"ping\",status=\"success\",type=\"healthz\"} 2.0");
            assertThat(operator("/metrics").body()).doesNotContain("kubernetes_healthcheck");
        }
    }

    @Test
    void what_runs_says_so_in_the_form_of_kubernetes() throws Exception {
        String warning =
                "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.\n";
        try (NodeServers servers = servers(serving("127.0.0.1"))) {
            servers.open(loop(servers).stages(), () -> Long.MAX_VALUE);
            passed = Duration.ofSeconds(100 * 3600 + 61);
            HttpResponse<String> statusz = operator("/statusz");
            assertThat(statusz.headers().firstValue("Content-Type"))
                    .contains("text/plain; charset=utf-8");
            assertThat(statusz.body())
                    .isEqualTo(
                            "\npointsman statusz\n"
                                    + warning
                                    + """

                                    Started  Thu Nov  5 08:00:00 UTC 2026
                                    Up  100 hr 01 min 01 sec
                                    Java version  25.0.1
                                    Binary version  0.7
                                    Paths  /configz /flagz /healthz /metrics /proxyMode
                                    """);
            assertThat(operator("/flagz").body())
                    .isEqualTo("\npointsman flagz\n" + warning + "cluster-cidr=\nv=2\n");
        }
    }

    @Test
    void the_node_of_the_loop_decides_what_healthz_says() throws Exception {
        try (NodeServers servers = servers(serving("127.0.0.1"))) {
            Rehearsed loop = loop(servers);
            servers.open(loop.stages(), () -> Long.MAX_VALUE);
            assertThat(health("/healthz")).isEqualTo(503);
            loop.starts(Sample.cluster());
            assertThat(health("/healthz")).isEqualTo(200);
            loop.hears(new ClusterEvent.NodeSeen(Sample.node("node-a"), Outlook.TO_BE_TAKEN_DOWN));
            assertThat(health("/healthz")).isEqualTo(503);
            assertThat(health("/livez")).isEqualTo(200);
            loop.hears(new ClusterEvent.NodeSeen(Sample.node("node-b"), Outlook.BEING_DELETED));
            loop.hears(new ClusterEvent.NodeSeen(Sample.node("node-a")));
            assertThat(health("/healthz")).isEqualTo(200);
            assertThat(v4.commits()).isEqualTo(1);
        }
    }

    /// A node whose kernel has no IPv6 is one of IPv4, and starting anew would not give it any.
    @Test
    void a_family_that_was_never_reached_takes_neither_traffic_nor_the_proxy_from_the_node()
            throws Exception {
        InMemoryKernel v6 = new InMemoryKernel(Family.IPV6);
        v6.is(InMemoryKernel.Mood.UNREACHABLE);
        try (NodeServers servers = servers(serving("127.0.0.1"), Sample.FAMILIES)) {
            Rehearsed loop = loop(servers, Map.of(Family.IPV4, v4, Family.IPV6, v6));
            servers.open(loop.stages(), () -> Long.MAX_VALUE);
            loop.starts(Sample.cluster());
            passes(loop, Duration.ofMinutes(10));
            assertThat(health("/livez")).isEqualTo(200);
            assertThat(health("/healthz")).isEqualTo(200);
            assertThat(livez()).contains("\"IPv4\"").doesNotContain("IPv6");

            v6.is(InMemoryKernel.Mood.WELL);
            passes(loop, Duration.ofMinutes(1));
            assertThat(livez()).contains("\"IPv4\"", "\"IPv6\"");

            // What worked once may work again after a new start.
            v6.is(InMemoryKernel.Mood.UNREACHABLE);
            loop.hears(new ClusterEvent.ServiceSeen(Sample.service("shop", 9)));
            passes(loop, Duration.ofMinutes(2));
            assertThat(health("/livez")).isEqualTo(503);
            assertThat(livez()).contains("\"IPv6\"");
        }
    }

    @Test
    void no_family_that_was_reached_is_no_health() throws Exception {
        v4.is(InMemoryKernel.Mood.UNREACHABLE);
        try (NodeServers servers = servers(serving("127.0.0.1"))) {
            Rehearsed loop = loop(servers);
            servers.open(loop.stages(), () -> Long.MAX_VALUE);
            loop.starts(Sample.cluster());
            passes(loop, Duration.ofMinutes(2));
            assertThat(health("/livez")).isEqualTo(503);
            assertThat(health("/healthz")).isEqualTo(503);
        }
    }

    @Test
    void debug_pages_show_graph_rules_and_transactions() throws Exception {
        try (NodeServers servers = servers(serving("127.0.0.1"))) {
            Rehearsed loop = loop(servers);
            servers.open(loop.stages(), () -> Long.MAX_VALUE);
            loop.starts(Sample.cluster());
            v4.refuses(Sample.name("bad"));
            loop.hears(new ClusterEvent.ServiceSeen(Sample.service("bad", 2)));
            assertThat(operator("/debug/graph").body())
                    .isEqualTo(
                            """
                            # IPv4
                            10.96.0.1:80/tcp cluster ip of shop/web:http: from pods to cluster keep, from the node to cluster keep, from outside to cluster keep
                              cluster: 10.1.0.1:8080/tcp
                            """);
            assertThat(operator("/debug/rules?service=shop/web").body())
                    .isEqualTo("# IPv4\nadd 10.96.0.1:80/tcp of shop/web:http\n");
            assertThat(operator("/debug/rules").statusCode()).isEqualTo(400);
            assertThat(operator("/debug/rules?service=web").statusCode()).isEqualTo(400);
            assertThat(operator("/debug/transactions").body())
                    .containsSubsequence(
                            "# last failures",
                            "IPv4 repair: refused object 7: No space left on device",
                            "# last transactions",
                            "IPv4 repair: applied",
                            "add 10.96.0.1:80/tcp of shop/web:http");
        }
    }

    private HttpResponse<String> puts(String path, String body) throws Exception {
        return Web.put(Addresses.socket(IpAddress.parse("127.0.0.1"), metrics), path, body);
    }

    @Test
    void the_verbosity_of_the_log_is_put_as_to_a_component_of_kubernetes() throws Exception {
        try (NodeServers servers = servers(serving("127.0.0.1"))) {
            servers.open(loop(servers).stages(), () -> Long.MAX_VALUE);
            HttpResponse<String> answer = puts("/debug/flags/v", "4");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("successfully set klog.logging.verbosity to 4");
            assertThat(puts("/debug/flags/v", "much").statusCode()).isEqualTo(400);
            assertThat(puts("/debug/flags/v", "-1").statusCode()).isEqualTo(400);
            assertThat(puts("/debug/flags/v", "").statusCode()).isEqualTo(400);
            assertThat(operator("/debug/flags/v").statusCode()).isEqualTo(406);
            assertThat(puts("/debug/graph", "4").statusCode()).isEqualTo(405);
            assertThat(puts("/metrics", "4").statusCode()).isEqualTo(405);
            assertThat(verbosities).containsExactly(4);
        }
        try (NodeServers servers = servers(serving("0.0.0.0"))) {
            servers.open(loop(servers).stages(), () -> Long.MAX_VALUE);
            assertThat(puts("/debug/flags/v", "4").statusCode()).isEqualTo(405);
        }
        assertThat(verbosities).containsExactly(4);
    }

    @Test
    void debug_pages_are_for_loopback_alone() throws Exception {
        try (NodeServers servers = servers(serving("0.0.0.0"))) {
            servers.open(loop(servers).stages(), () -> Long.MAX_VALUE);
            assertThat(operator("/metrics").statusCode()).isEqualTo(200);
            assertThat(operator("/debug/graph").statusCode()).isEqualTo(404);
            assertThat(operator("/debug/transactions").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void a_taken_port_ends_the_process_only_if_that_is_asked_for() throws Exception {
        try (ServerSocket other = new ServerSocket(healthz);
                NodeServers patient = servers(serving("127.0.0.1"))) {
            assertThat(other.isBound()).isTrue();
            assertThat(patient.open(loop(patient).stages(), () -> Long.MAX_VALUE)).isEmpty();
            assertThat(heard.lines()).hasSize(1).first().asString().contains("tried again in 5 s");
            assertThat(operator("/proxyMode").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void a_server_without_an_address_is_none() throws Exception {
        Servers nowhere =
                new Servers(
                        IpAddress.parse("0.0.0.0"),
                        Servers.BusyPort.FATAL,
                        new ServerAddress.Off(),
                        new ServerAddress.Off(),
                        Servers.DebugPages.ON_LOOPBACK);
        try (NodeServers servers = servers(nowhere)) {
            assertThat(servers.open(loop(servers).stages(), () -> Long.MAX_VALUE)).isEmpty();
            for (int port : new int[] {healthz, metrics}) {
                try (ServerSocket free = new ServerSocket(port)) {
                    assertThat(free.isBound()).isTrue();
                }
            }
        }
    }
}
