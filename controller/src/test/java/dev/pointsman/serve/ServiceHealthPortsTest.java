package dev.pointsman.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.config.ServerAddress;
import dev.pointsman.config.Servers;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.HealthCheck;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.Settings;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import dev.pointsman.notice.Heard;
import dev.pointsman.store.Outlook;
import dev.pointsman.store.Sample;
import dev.pointsman.sync.AddressWatch;
import dev.pointsman.sync.InMemoryKernel;
import dev.pointsman.sync.SyncNote;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Behaviour document 6.2, over HTTP.
@Timeout(60)
final class ServiceHealthPortsTest {
    private static final ServiceName WEB = Sample.name("web");
    private static final ServiceName SHOP = Sample.name("shop");

    private final HttpThread http = new HttpThread(Limits.DEFAULT, _ -> {});
    private final Heard heard = new Heard();
    private volatile long now = 0;
    private volatile SortedSet<IpAddress> own = addresses("127.0.0.1", "192.0.2.1");
    private final Health health =
            new Health(
                    Sample.FAMILIES,
                    Duration.ofSeconds(60),
                    () -> now,
                    () -> Instant.EPOCH,
                    () -> Long.MAX_VALUE);
    private final ServiceHealthPorts ports =
            new ServiceHealthPorts(http, http, health, () -> own, heard);
    private int port;

    @BeforeEach
    void choosePort() throws IOException {
        port = freePort();
    }

    @AfterEach
    void close() {
        http.close();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static SortedSet<IpAddress> addresses(String... addresses) {
        return new TreeSet<>(Stream.of(addresses).map(IpAddress::parse).toList());
    }

    private static RuleGraph graph(Family family, Settings.NodePortRange... nodePorts) {
        Settings defaults = Settings.iptablesDefaults();
        Planner planner =
                new Planner(
                        family,
                        Sample.node("node-a"),
                        new Settings(
                                defaults.detectLocal(),
                                defaults.masqueradeBit(),
                                defaults.masquerade(),
                                List.of(nodePorts),
                                defaults.clusterIpGuard(),
                                defaults.externalIps(),
                                List.of(),
                                defaults.ipvs()));
        planner.plan(List.of());
        return planner.graph();
    }

    private static RuleGraph everywhere() {
        return graph(Family.IPV4, new Settings.NodePortRange.All());
    }

    /// Hands the graph over as a sync does, and waits until the ports have followed.
    private void sync(RuleGraph graph) throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        http.execute(() -> ports.settled(graph));
        // After what was put off until a closed port is free.
        http.after(Duration.ofMillis(200), () -> done.complete(true));
        done.get();
    }

    private static HttpResponse<String> ask(String host, int port) throws Exception {
        return Web.get(new InetSocketAddress(host, port), "/any/path");
    }

    @Test
    void local_ready_endpoints_make_the_port_answer_200_with_their_number() throws Exception {
        sync(everywhere().with(WEB, new HealthCheck(port, 3)));
        HttpResponse<String> answer = ask("127.0.0.1", port);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.headers().firstValue("X-Load-Balancing-Endpoint-Weight")).contains("3");
        assertThat(answer.body())
                .isEqualTo(
                        "{\"service\":{\"namespace\":\"shop\",\"name\":\"web\"},\"localEndpoints\":3,\"serviceProxyHealthy\":true}");
    }

    @Test
    void the_port_answers_in_both_families_whichever_the_service_has() throws Exception {
        sync(everywhere().with(WEB, new HealthCheck(port, 1)));
        assertThat(ask("127.0.0.1", port).statusCode()).isEqualTo(200);
        assertThat(ask("::1", port).statusCode()).isEqualTo(200);
    }

    @Test
    void no_local_ready_endpoint_makes_it_answer_503() throws Exception {
        sync(everywhere().with(WEB, new HealthCheck(port, 0)));
        HttpResponse<String> answer = ask("127.0.0.1", port);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("X-Load-Balancing-Endpoint-Weight")).contains("0");
        assertThat(answer.body()).contains("\"localEndpoints\":0,\"serviceProxyHealthy\":true");
        sync(everywhere().with(WEB, new HealthCheck(port, 1)));
        assertThat(ask("127.0.0.1", port).statusCode()).isEqualTo(200);
    }

    @Test
    void a_proxy_that_is_behind_answers_503_and_one_whose_node_will_go_does_not() throws Exception {
        sync(everywhere().with(WEB, new HealthCheck(port, 1)));
        health.node(Outlook.BEING_DELETED);
        assertThat(ask("127.0.0.1", port).statusCode()).isEqualTo(200);
        health.queued(Family.IPV4, now);
        now = Duration.ofSeconds(61).toNanos();
        HttpResponse<String> answer = ask("127.0.0.1", port);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("\"localEndpoints\":1,\"serviceProxyHealthy\":false");
    }

    @Test
    void the_port_follows_its_service_and_ends_with_it() throws Exception {
        sync(everywhere().with(WEB, new HealthCheck(port, 1)));
        int other = freePort();
        sync(everywhere().with(WEB, new HealthCheck(other, 1)));
        assertThat(ask("127.0.0.1", other).statusCode()).isEqualTo(200);
        assertThatThrownBy(() -> ask("127.0.0.1", port)).isInstanceOf(IOException.class);

        // Another Service gets the port in the very sync that takes it from the first.
        sync(everywhere().with(SHOP, new HealthCheck(other, 1)));
        assertThat(ask("127.0.0.1", other).body()).contains("\"name\":\"shop\"");
        assertThat(heard.lines()).isEmpty();

        sync(everywhere());
        assertThatThrownBy(() -> ask("127.0.0.1", other)).isInstanceOf(IOException.class);
    }

    @Test
    void a_port_that_somebody_else_has_is_told_once_and_tried_at_every_sync() throws Exception {
        RuleGraph graph = everywhere().with(WEB, new HealthCheck(port, 1));
        try (ServerSocket other = new ServerSocket(port, 1, InetAddress.getByName("0.0.0.0"))) {
            assertThat(other.isBound()).isTrue();
            sync(graph);
            sync(graph);
        }
        assertThat(heard.lines())
                .containsExactly(
                        "Service shop/web: health-check node port "
                                + port
                                + " cannot be opened: Address already in use;"
                                + " load balancers that ask there take this node for one without"
                                + " endpoints; tried again at every sync");
        sync(graph);
        assertThat(ask("127.0.0.1", port).statusCode()).isEqualTo(200);
        assertThat(heard.lines())
                .last()
                .isEqualTo("Service shop/web: health-check node port " + port + " is open now");
    }

    @Test
    void only_addresses_that_answer_on_node_ports_are_listened_at() throws Exception {
        own = addresses("127.0.0.1", "127.0.0.2", "127.0.0.3");
        Settings.NodePortRange range = new Settings.NodePortRange.Range(Cidr.parse("127.0.0.2/31"));
        sync(graph(Family.IPV4, range).with(WEB, new HealthCheck(port, 1)));
        assertThat(ask("127.0.0.2", port).statusCode()).isEqualTo(200);
        assertThat(ask("127.0.0.3", port).statusCode()).isEqualTo(200);
        assertThatThrownBy(() -> ask("127.0.0.1", port)).isInstanceOf(IOException.class);

        own = addresses("127.0.0.1", "127.0.0.3");
        sync(graph(Family.IPV4, range).with(WEB, new HealthCheck(port, 1)));
        assertThat(ask("127.0.0.3", port).statusCode()).isEqualTo(200);
        assertThatThrownBy(() -> ask("127.0.0.2", port)).isInstanceOf(IOException.class);
    }

    @KernelTest(tools = "curl")
    void an_address_that_the_node_gets_later_is_listened_at() throws Exception {
        Settings.NodePortRange range = new Settings.NodePortRange.Range(Cidr.parse("10.9.0.0/16"));
        RuleGraph graph = graph(Family.IPV4, range).with(WEB, new HealthCheck(8080, 1));
        try (TestNamespace node = TestNamespace.create();
                NodeServers servers = servers();
                AddressWatch _ = node.namespace().call(() -> settled(servers, graph))) {
            // Twice, so that the second comes after the news of the first.
            for (String address : List.of("10.9.0.1", "10.9.0.2")) {
                node.run("ip", "address", "add", address + "/32", "dev", "lo");
                String url = "http://" + address + ":8080/";
                assertThat(
                                node.run(
                                        "curl",
                                        "-sS",
                                        "--retry",
                                        "30",
                                        "--retry-delay",
                                        "1",
                                        "--retry-connrefused",
                                        url))
                        .contains("\"localEndpoints\":1");
            }
        }
    }

    private NodeServers servers() {
        return new NodeServers(
                new NodeServers.Subject(
                        new Servers(
                                IpAddress.parse("0.0.0.0"),
                                Servers.BusyPort.FATAL,
                                new ServerAddress.Off(),
                                new ServerAddress.Off(),
                                Servers.DebugPages.ON_LOOPBACK),
                        "nftables",
                        List.of(Family.IPV4),
                        Duration.ofSeconds(60),
                        new Program("0.7", "25", () -> "", TreeMap::new),
                        InMemoryKernel::new),
                new NodeServers.World(() -> now, () -> Instant.EPOCH, heard, _ -> {}));
    }

    /// The thread that serves begins here, and thus in the network namespace of the calling thread.
    private static AddressWatch settled(NodeServers servers, RuleGraph graph) {
        servers.notes().accept(new SyncNote.Settled(Family.IPV4, graph, new TreeSet<>(), 0));
        return new AddressWatch(servers::addressesChanged, new Heard()::say);
    }

    @Test
    void a_service_of_both_families_is_counted_once() throws Exception {
        sync(everywhere().with(WEB, new HealthCheck(port, 2)));
        sync(
                graph(Family.IPV6, new Settings.NodePortRange.All())
                        .with(WEB, new HealthCheck(port, 2)));
        assertThat(ask("127.0.0.1", port).body()).contains("\"localEndpoints\":2,");
    }
}
