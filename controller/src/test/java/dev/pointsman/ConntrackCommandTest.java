package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Mode;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `trace` and `verify` with what a node of the example told about itself: its connections,
/// addresses, routes and settings.
final class ConntrackCommandTest {
    private static final String SHOP = "../deploy/examples/shop.yaml";

    /// A pod that asks `kube-system/kube-dns`, whose endpoints are 10.244.0.2 and 10.244.1.2: well
    /// pinned, pinned to one that is gone, untranslated; and one with `shop/web`.
    private static final String CONNECTIONS =
            """
            udp      17 29 src=10.244.1.11 dst=10.96.0.10 sport=41000 dport=53 src=10.244.1.2 dst=10.244.1.11 sport=53 dport=41000 [ASSURED] mark=0 use=1
            udp      17 29 src=10.244.1.11 dst=10.96.0.10 sport=41001 dport=53 [UNREPLIED] src=10.244.9.9 dst=10.244.1.11 sport=53 dport=41001 mark=0 use=1
            udp      17 29 src=10.244.1.11 dst=10.96.0.10 sport=41002 dport=53 [UNREPLIED] src=10.96.0.10 dst=10.244.1.11 sport=53 dport=41002 mark=0 use=1
            tcp      6 431999 ESTABLISHED src=10.244.1.11 dst=10.96.10.1 sport=41000 dport=80 src=10.244.9.9 dst=192.0.2.11 sport=8080 dport=1025 [ASSURED] mark=0 use=1
            """;

    private static final String ADDRESSES =
            """
            [{"ifindex":1,"ifname":"lo","flags":["LOOPBACK","UP"],"addr_info":[
               {"family":"inet","local":"127.0.0.1","prefixlen":8}]},
             {"ifindex":2,"ifname":"ens5","flags":["UP"],"addr_info":[
               {"family":"inet","local":"192.0.2.11","prefixlen":24},
               {"family":"inet","local":"203.0.113.11","prefixlen":24}]},
             {"ifindex":3,"ifname":"cali7","flags":["UP"],"addr_info":[]},
             {"ifindex":4,"ifname":"cali8","flags":["UP"],"addr_info":[]}]
            """;
    private static final String ROUTES =
            """
            [{"dst":"default","gateway":"192.0.2.1","dev":"ens5","flags":[]},
             {"dst":"10.244.1.11","dev":"cali7","scope":"link","flags":[]},
             {"dst":"10.244.1.2","dev":"cali8","scope":"link","flags":[]},
             {"dst":"10.244.1.0/24","type":"blackhole","flags":[]},
             {"dst":"10.244.0.0/24","gateway":"192.0.2.10","dev":"ens5","flags":[]}]
            """;

    private final Console console = new Console(() -> ServiceLoader.load(Mode.class), "worker-1");
    private final StringWriter out = console.out;
    private final StringWriter err = console.err;

    @TempDir private Path folder = Path.of("");
    private String connections = "";
    private String addresses = "";
    private String routes = "";

    @BeforeEach
    void write() throws IOException {
        connections = file("connections", CONNECTIONS);
        addresses = file("addresses", ADDRESSES);
        routes = file("routes", ROUTES);
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private int run(String command, String... args) {
        List<String> line =
                new ArrayList<>(
                        List.of(
                                command,
                                "-f",
                                SHOP,
                                "--node",
                                "worker-1",
                                "--family",
                                "ipv4",
                                "--cluster-cidr",
                                "10.244.0.0/16"));
        line.addAll(List.of(args));
        return console.run(InputStream.nullInputStream(), line);
    }

    private int trace(String from, String... more) {
        List<String> args =
                new ArrayList<>(List.of("--from", from, "--to", "svc/kube-system/kube-dns:dns"));
        args.addAll(List.of(more));
        return run("trace", args.toArray(String[]::new));
    }

    @Test
    void a_flow_that_is_known_goes_where_it_went_before() {
        assertThat(trace("10.244.1.11:41000", "--conntrack", connections)).isZero();
        assertThat(out.toString())
                .contains(
                        "conntrack   "
                                + connections
                                + ":1: udp 10.244.1.11:41000 -> 10.96.0.10:53, answered by"
                                + " 10.244.1.2:53\n",
                        "1   leaves by cni0 for 10.244.1.2:53",
                        "conntrack, existing connection")
                .doesNotContain("STALE_FLOW");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "41001 | 2 | leaves by eth0 for 10.244.9.9:53 | pinned to 10.244.9.9:53, which is no endpoint any more; conntrack -D -p udp --reply-src 10.244.9.9 --reply-port-src 53",
                "41002 | 3 | refused                          | untranslated to 10.96.0.10:53, though there are endpoints; conntrack -D -p udp --reply-src 10.96.0.10 --reply-port-src 53",
            })
    void a_flow_that_is_known_from_before_a_change_is_diagnosed(
            int port, int line, String fate, String words) {
        assertThat(trace("10.244.1.11:" + port, "--conntrack", connections)).isZero();
        assertThat(out.toString())
                .contains(
                        "1   " + fate,
                        "reason   STALE_FLOW: " + words,
                        "object   conntrack entry " + connections + ":" + line);
        assertThat(trace("10.244.1.11:" + port, "--conntrack", connections, "-o", "json")).isZero();
        assertThat(out.toString())
                .contains("\"reason\": \"STALE_FLOW\"", connections + ":" + line + ": udp ");
    }

    @Test
    void entries_are_found_by_the_senders_port_and_other_flows_are_new() {
        assertThat(trace("10.244.1.11", "--conntrack", connections)).isZero();
        assertThat(out.toString())
                .contains("conntrack   3 entries of this sender to it", "1/2   leaves by")
                .containsPattern("--from 10\\.244\\.1\\.11:4100[012] follows that of ");
        assertThat(trace("10.244.1.11:5", "--conntrack", connections)).isZero();
        assertThat(out.toString())
                .contains("conntrack   no entry from 10.244.1.11:5: a new flow", "1/2   leaves by");
        assertThat(trace("host", "--conntrack", connections)).isZero();
        assertThat(out.toString()).contains("conntrack   no entry of this sender to it");
    }

    @Test
    void stale_flows_of_a_node_are_listed() {
        assertThat(run("verify", "--conntrack", connections)).isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        "IPv4: proved",
                        "conntrack: stale flows; 4 flows, 4 of them to Services",
                        """
                          Service kube-system/kube-dns:dns
                            flows     1 of udp pinned to 10.244.9.9:53, which is no endpoint any more
                            first     %s:2: udp 10.244.1.11:41001 -> 10.96.0.10:53, answered by 10.244.9.9:53
                            remedy    conntrack -D -p udp --reply-src 10.244.9.9 --reply-port-src 53
                        """
                                .formatted(connections),
                        "1 of udp untranslated to 10.96.0.10:53, though there are endpoints\n",
                        "1 of tcp pinned to 10.244.9.9:8080, which is no endpoint any more; left to"
                                + " end by themselves\n",
                        "answered by 10.244.9.9:8080 to 192.0.2.11:1025 (ESTABLISHED)");
        assertThat(run("verify", "--conntrack", connections, "-o", "json")).isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        "\"flowsToServices\": 4",
                        "\"fault\": \"UNTRANSLATED\"",
                        "\"answeredBy\": \"10.244.9.9:8080\"",
                        "\"mustGo\": false");
    }

    @Test
    void connections_over_tcp_are_shown_and_are_no_disagreement() throws IOException {
        String tcp =
                file(
                        "tcp",
                        CONNECTIONS
                                .lines()
                                .filter(line -> line.startsWith("tcp"))
                                .findFirst()
                                .orElseThrow());
        assertThat(run("verify", "--conntrack", tcp)).isZero();
        assertThat(out.toString())
                .contains("conntrack: no stale UDP flow", "1 of tcp pinned to 10.244.9.9:8080");
    }

    @Test
    void what_is_no_listing_is_refused_with_its_place() throws IOException {
        String odd = file("odd", CONNECTIONS + "udp 17 29 src=10.0.0.1 what\n");
        assertThat(run("verify", "--conntrack", odd)).isEqualTo(2);
        assertThat(err.toString())
                .contains("error: " + odd + ":5:24: expected a field, found what; if conntrack");
        String endless = file("endless", "x".repeat(100_000));
        assertThat(run("verify", "--conntrack", endless)).isEqualTo(2);
        assertThat(err.toString()).contains(endless + ":1:16384: a line of more than 16384");
        assertThat(run("verify", "--conntrack", folder + "/none")).isEqualTo(2);
        assertThat(err.toString()).contains("--conntrack: " + folder + "/none cannot be read");
    }

    @Test
    void a_nodes_own_interfaces_and_routes_are_taken() {
        String[] node = {"--addresses", addresses, "--routes", routes};
        assertThat(trace("10.244.1.11", node)).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains(
                        "1/2   leaves by ens5 for 10.244.0.2:53",
                        "1/2   leaves by cali8 for 10.244.1.2:53");
        assertThat(run("verify", node)).as(out.toString()).isZero();
    }

    @Test
    void a_nodes_own_settings_are_taken() throws IOException {
        String sysctls = file("sysctls", "net.ipv4.ip_forward = 0\n");
        assertThat(trace("10.244.1.11", "--sysctls", sysctls)).isZero();
        assertThat(out.toString()).contains("NO_ROUTE: the node does not forward packets");
        assertThat(run("verify", "--sysctls", sysctls)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--addresses A            | --addresses and --routes: give both, or none",
                "--routes R               | --addresses and --routes: give both, or none",
                "--addresses C --routes R | expected",
                "--sysctls A              | expected NAME = VALUE",
                "--sysctls none           | --sysctls: none cannot be read",
            })
    void what_a_node_did_not_print_is_refused(String options, String message) {
        String[] args =
                options.replace("A", addresses)
                        .replace("C", connections)
                        .replace("R", routes)
                        .split(" ");
        assertThat(trace("host", args)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void routes_that_are_not_modelled_are_told() throws IOException {
        String more =
                file(
                        "more",
                        """
                        [{"dst":"default","gateway":"192.0.2.1","dev":"ens5","flags":[]},
                         {"dst":"10.5.0.0/24","dev":"ens5","flags":[],"table":"100"}]
                        """);
        assertThat(trace("host", "--addresses", addresses, "--routes", more)).isZero();
        assertThat(err.toString())
                .contains(
                        "warning: "
                                + more
                                + ":2: --routes: a route of table 100 to 10.5.0.0/24 is not"
                                + " modelled");
    }
}
