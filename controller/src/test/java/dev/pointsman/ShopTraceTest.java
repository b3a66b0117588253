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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `trace` and `verify` over the example that the documentation reads.
final class ShopTraceTest {
    private static final String SHOP = "../deploy/examples/shop.yaml";
    private final Console console = new Console(() -> ServiceLoader.load(Mode.class), "worker-1");
    private final StringWriter out = console.out;
    private final StringWriter err = console.err;

    @TempDir private Path folder = Path.of("");

    private int run(String command, String... args) {
        List<String> line =
                new ArrayList<>(
                        List.of(
                                command,
                                "-f",
                                SHOP,
                                "--cluster-cidr",
                                "10.244.0.0/16,fd00:10:244::/56"));
        line.addAll(List.of(args));
        return console.run(InputStream.nullInputStream(), line);
    }

    private String rules(String more) throws IOException {
        assertThat(run("render", "--node", "worker-1")).isZero();
        return Files.writeString(folder.resolve("rules.nft"), out + more).toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"control-plane", "worker-1", "worker-2"})
    void the_rules_of_every_node_are_proved(String node) {
        assertThat(run("verify", "--node", node)).as(out.toString()).isZero();
        assertThat(out.toString())
                .containsPattern("IPv4: proved; [0-9,]+ classes of packets for")
                .containsPattern("IPv6: proved; [0-9,]+ classes of packets for")
                .contains("# A class is all flows that neither intent nor any rule tells apart");
    }

    @Test
    void a_stale_endpoint_in_somebodys_dump_is_shown_with_a_packet() throws IOException {
        String file = rules("");
        Files.writeString(
                Path.of(file),
                Files.readString(Path.of(file))
                        .replace("10.244.2.13 . 8443", "10.244.2.99 . 8443"));
        assertThat(run("verify", "--node", "worker-1", "--rules", file)).isEqualTo(1);
        assertThat(out.toString())
                .contains("Service shop/gateway:https")
                .contains("expected  10.244.2.13:8443 source=kept")
                .contains("found     10.244.2.99:8443 source=kept");
    }

    @Test
    void what_nft_printed_as_json_is_read_as_json() throws IOException {
        Path file = folder.resolve("rules.json");
        Files.writeString(file, "{\"nftables\": [{\"metainfo\": {}}]}");
        assertThat(run("verify", "--node", "worker-1", "--rules", file.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("found     untouched");
        Files.writeString(file, "{\"nftables\": [{\"what\": {}}]}");
        assertThat(run("verify", "--node", "worker-1", "--rules", file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains(file + ":1:15: expected an object of a listing, not what");
    }

    @Test
    void what_is_not_understood_is_named_and_nothing_is_proved() throws IOException {
        String file =
                rules(
                        """
                        table inet host {
                          chain odd { meta cgroup 5 drop; }
                          chain input { type filter hook input priority 0; policy accept; jump odd; }
                        }
                        """);
        assertThat(run("verify", "--node", "worker-1", "--rules", file)).isEqualTo(3);
        assertThat(out.toString()).contains("not trustworthy", "not understood: ");
        assertThat(run("verify", "--node", "worker-1", "--rules", file, "--assume", "odd=opaque"))
                .as(out.toString())
                .isZero();
        assertThat(run("verify", "--node", "worker-1", "--assume", "nowhere=opaque")).isEqualTo(2);
        assertThat(err.toString()).contains("the rules have no chain nowhere");
    }

    @ParameterizedTest
    @CsvSource({
        "outside:203.0.113.9, 198.51.100.7:443,      NO_LOCAL_ENDPOINT",
        "outside:192.0.2.200, 198.51.100.7:443,      SOURCE_RANGE",
        "host,                10.96.10.7:80,         NO_ENDPOINTS",
        "host,                10.96.10.1:81,         UNKNOWN_PORT",
        "host,                10.96.10.1:80/udp,     WRONG_PROTOCOL",
        "host,                10.97.0.1:80,          NO_SERVICE",
        "outside:203.0.113.9, 192.0.2.11:31999,      NO_SERVICE",
        "host,                127.0.0.1:30080,       LOCALHOST_UNSUPPORTED",
    })
    void a_flow_that_does_not_get_through_has_a_reason(String from, String to, String reason) {
        assertThat(run("trace", "--node", "worker-1", "--from", from, "--to", to))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("reason   " + reason + ":");
        assertThat(run("trace", "--node", "worker-1", "--from", from, "--to", to, "-o", "json"))
                .isZero();
        assertThat(out.toString()).contains("\"reason\": \"" + reason + "\"");
    }

    @Test
    void a_node_port_on_an_address_that_does_not_serve_them_has_a_reason() throws IOException {
        Path config = folder.resolve("config.yaml");
        Files.writeString(
                config,
                """
                apiVersion: kubeproxy.config.k8s.io/v1alpha1
                kind: KubeProxyConfiguration
                nodePortAddresses: [10.9.9.0/24]
                """);
        for (String mode : List.of("nftables", "iptables")) {
            assertThat(
                            run(
                                    "trace",
                                    "--node",
                                    "worker-1",
                                    "--mode",
                                    mode,
                                    "--config",
                                    config.toString(),
                                    "--from",
                                    "outside:203.0.113.9",
                                    "--to",
                                    "192.0.2.11:30080"))
                    .as(err.toString())
                    .isZero();
            assertThat(out.toString())
                    .contains("reason   NODE_PORT_ADDRESS: 192.0.2.11 is none of")
                    .contains("object   configuration nodePortAddresses");
        }
    }

    @Test
    void a_port_without_counterpart_in_the_slices_has_a_reason() throws IOException {
        Path file = folder.resolve("mismatch.yaml");
        Files.writeString(
                file,
                """
                apiVersion: v1
                kind: Service
                metadata: {name: odd, namespace: shop}
                spec:
                  clusterIP: 10.96.10.77
                  clusterIPs: [10.96.10.77]
                  ipFamilies: [IPv4]
                  ports: [{name: web, port: 80, protocol: TCP, targetPort: http}]
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata:
                  name: odd-1
                  namespace: shop
                  labels: {kubernetes.io/service-name: odd}
                addressType: IPv4
                ports: [{name: http, port: 8080, protocol: TCP}]
                endpoints: [{addresses: [10.244.1.60], conditions: {ready: true}}]
                """);
        for (String mode : List.of("nftables", "iptables")) {
            assertThat(
                            run(
                                    "trace",
                                    "-f",
                                    file.toString(),
                                    "--node",
                                    "worker-1",
                                    "--mode",
                                    mode,
                                    "--from",
                                    "host",
                                    "--to",
                                    "svc/shop/odd"))
                    .as(err.toString())
                    .isZero();
            assertThat(out.toString())
                    .contains("refused")
                    .contains("reason   PORT_NAME_MISMATCH: port \"web\" TCP has no counterpart")
                    .contains("object   Service shop/odd spec.ports");
        }
    }

    @Test
    void rules_of_mode_iptables_are_traced_and_proved_rendered_or_saved() throws IOException {
        assertThat(run("verify", "--node", "worker-1", "--mode", "iptables"))
                .as(out.toString())
                .isZero();
        assertThat(out.toString()).contains("IPv4: proved;", "IPv6: proved;");
        assertThat(
                        run(
                                "trace",
                                "--node",
                                "worker-1",
                                "--mode",
                                "iptables",
                                "--from",
                                "host",
                                "--to",
                                "127.0.0.1:30080"))
                .isZero();
        assertThat(out.toString())
                .contains("flow   host 127.0.0.1 -> tcp 127.0.0.1:30080")
                .contains("10.244.1.10:8080, which sees 192.0.2.11; the answer finds back")
                .contains("KUBE-NODEPORTS");
    }

    @Test
    void a_stale_endpoint_in_what_iptables_save_printed_is_shown_with_a_packet()
            throws IOException {
        assertThat(run("render", "--node", "worker-1", "--mode", "iptables", "--family", "ipv4"))
                .isZero();
        String file =
                Files.writeString(
                                folder.resolve("iptables.save"),
                                out.toString().replace("10.244.2.13:8443", "10.244.2.99:8443"))
                        .toString();
        assertThat(
                        run(
                                "verify",
                                "--node",
                                "worker-1",
                                "--mode",
                                "iptables",
                                "--family",
                                "ipv4",
                                "--rules",
                                file))
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("Service shop/gateway:https")
                .contains("found     10.244.2.99:8443 source=kept");
    }

    @Test
    void what_iptables_save_printed_is_held_to_the_defaults_of_that_mode() throws IOException {
        assertThat(run("render", "--node", "worker-1", "--mode", "iptables", "--family", "ipv4"))
                .isZero();
        String file = Files.writeString(folder.resolve("saved"), out.toString()).toString();
        assertThat(run("verify", "--node", "worker-1", "--family", "ipv4", "--rules", file))
                .as(out.toString())
                .isZero();
    }

    @Test
    void an_empty_file_is_told_and_a_byte_order_mark_passed_over() throws IOException {
        String empty = Files.writeString(folder.resolve("empty"), "\n").toString();
        assertThat(run("verify", "--node", "worker-1", "--rules", empty)).isEqualTo(1);
        assertThat(err.toString()).contains("empty: is empty");
        String marked = rules("");
        Files.writeString(Path.of(marked), "\ufeff" + Files.readString(Path.of(marked)));
        assertThat(run("verify", "--node", "worker-1", "--rules", marked)).isZero();
    }

    @Test
    void what_to_give_instead_is_said_where_another_listing_tells_more() throws IOException {
        String nft =
                rules(
                        """
                        table ip filter {
                          chain INPUT { type filter hook input priority 0; policy accept; xt match recent drop; }
                        }
                        """);
        assertThat(run("verify", "--node", "worker-1", "--rules", nft)).isEqualTo(3);
        assertThat(out.toString()).contains("give what iptables-save printed instead");
        String saved =
                Files.writeString(
                                folder.resolve("saved"),
                                """
                                *filter
                                :FORWARD ACCEPT [0:0]
                                -A FORWARD -m set --match-set banned src -j DROP
                                COMMIT
                                """)
                        .toString();
        assertThat(run("verify", "--node", "worker-1", "--family", "ipv4", "--rules", saved))
                .isEqualTo(3);
        assertThat(out.toString()).contains("give what ipset save printed as well");
    }

    private String virtualServers() throws IOException {
        return Files.writeString(
                        folder.resolve("ipvs.save"),
                        """
                        -A -t 10.96.10.1:80 -s rr
                        -a -t 10.96.10.1:80 -r 10.244.1.10:8080 -m -w 1
                        -a -t 10.96.10.1:80 -r 10.244.2.10:8080 -m -w 1
                        """)
                .toString();
    }

    @Test
    void virtual_servers_of_ipvs_are_followed() throws IOException {
        assertThat(
                        run(
                                "trace",
                                "--node",
                                "worker-1",
                                "--from",
                                "10.244.1.99",
                                "--to",
                                "10.96.10.1:80/tcp",
                                "--rules",
                                virtualServers()))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .contains(
                        "input        ipvs, line 1: virtual server 10.96.10.1:80/tcp rr",
                        "  by real server of line 2 (weight 1), 1 of 2",
                        "  -> destination 10.96.10.1:80 becomes 10.244.1.10:8080");
        assertThat(err.toString())
                .contains(
                        "no file says which addresses the node has on kube-ipvs0; those of the"
                                + " virtual servers are assumed");
    }

    @Test
    void without_a_real_server_a_virtual_server_refuses() throws IOException {
        String file =
                Files.writeString(folder.resolve("ipvs.save"), "-A -t 10.96.10.1:80 -s wrr -p 60\n")
                        .toString();
        run(
                "trace",
                "--node",
                "worker-1",
                "--from",
                "10.244.1.99",
                "--to",
                "10.96.10.1:80/tcp",
                "--rules",
                file);
        assertThat(out.toString())
                .contains(
                        "refused",
                        "WRONG_RULE: its virtual server has no real server for it",
                        "ipvs, line 1: virtual server 10.96.10.1:80/tcp wrr persistent 60",
                        "-> reject with port unreachable");
    }

    @Test
    void a_dump_of_virtual_servers_is_held_against_intent() throws IOException {
        assertThat(run("verify", "--node", "worker-1", "--rules", virtualServers())).isEqualTo(1);
        assertThat(out.toString()).contains("expected").doesNotContain("NOT TRUSTWORTHY");
    }

    @Test
    void a_script_that_was_rendered_is_read_as_the_rules_it_makes() throws IOException {
        assertThat(run("render", "--node", "worker-1", "--mode", "ipvs")).isZero();
        String file = Files.writeString(folder.resolve("rules.sh"), out.toString()).toString();
        List<String> asked =
                List.of(
                        "--node",
                        "worker-1",
                        "--family",
                        "ipv4",
                        "--from",
                        "10.244.1.99",
                        "--to",
                        "10.96.10.1:80/tcp");
        List<String> dumped = new ArrayList<>(asked);
        dumped.addAll(List.of("--rules", file));
        assertThat(run("trace", dumped.toArray(String[]::new))).as(err.toString()).isZero();
        String read = out.toString();
        assertThat(read).contains("virtual server 10.96.10.1:80/tcp");
        List<String> rendered = new ArrayList<>(asked);
        rendered.addAll(List.of("--mode", "ipvs"));
        assertThat(run("trace", rendered.toArray(String[]::new))).isZero();
        assertThat(out.toString().lines().skip(2).toList())
                .isEqualTo(read.lines().skip(2).toList());
    }

    @Test
    void a_family_that_no_file_has_rules_of_is_pointed_out() throws IOException {
        Path file = folder.resolve("rules.v4");
        Files.writeString(file, "# Generated by iptables-save v1.8.9\n*nat\nCOMMIT\n");
        run("verify", "--node", "worker-1", "--rules", file.toString());
        assertThat(err.toString())
                .contains("--rules: no file has rules of IPv6", "ip6tables-save")
                .doesNotContain("rules of IPv4");
    }

    @Test
    void a_file_that_is_no_text_is_refused_in_plain_words() throws IOException {
        Path file = folder.resolve("binary");
        Files.write(file, new byte[] {'t', 'c', 'p', ' ', 0, 27, (byte) 0xff});
        assertThat(run("verify", "--node", "worker-1", "--rules", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains(file + " cannot be read: it is no text in UTF-8");
        Path nowhere = folder.resolve("nowhere");
        for (String option : List.of("--rules", "--sysctls", "--conntrack")) {
            assertThat(run("verify", "--node", "worker-1", option, nowhere.toString()))
                    .isEqualTo(2);
            assertThat(err.toString()).contains(nowhere + " cannot be read: there is no such file");
        }
    }

    @Test
    void no_message_has_control_characters_or_all_of_a_long_line() throws IOException {
        Path file = folder.resolve("rules.nft");
        Files.writeString(file, "\u001b[31m" + "x".repeat(5000));
        assertThat(run("verify", "--node", "worker-1", "--rules", file.toString())).isEqualTo(2);
        assertThat(err.toString().strip())
                .contains(file + ":1:1: ")
                .hasSizeLessThan(file.toString().length() + 500)
                .doesNotContain("\u001b");
    }

    @Test
    void only_a_terminal_that_gets_the_trace_gets_colours() {
        String[] line = {"--node", "worker-1", "--from", "host", "--to", "svc/shop/web"};
        console.errScreen = Surroundings.Screen.TERMINAL;
        run("trace", line);
        assertThat(out.toString()).doesNotContain("\u001b");
        console.outScreen = Surroundings.Screen.TERMINAL;
        run("trace", line);
        assertThat(out.toString()).contains("\u001b[1m1/2   leaves by");
    }

    @Test
    void a_port_of_the_node_that_is_no_node_port_is_called_that() {
        run("trace", "--node", "worker-1", "--from", "host", "--to", "192.0.2.11:30081");
        assertThat(out.toString()).contains("NO_SERVICE: no Service has node port 30081/tcp");
    }

    @Test
    void a_hosts_firewall_is_found_out() throws IOException {
        String file =
                rules(
                        """
                        table inet host {
                          chain forward {
                            type filter hook forward priority 10; policy accept;
                            tcp dport 8080 ip saddr 203.0.113.0/24 drop
                          }
                        }
                        """);
        assertThat(
                        run(
                                "trace",
                                "--node",
                                "worker-1",
                                "--rules",
                                file,
                                "--from",
                                "outside:203.0.113.9",
                                "--to",
                                "192.0.2.11:30080"))
                .isZero();
        assertThat(out.toString())
                .contains("FOREIGN_FIREWALL", "table inet host, chain forward: tcp dport 8080");
        assertThat(run("verify", "--node", "worker-1", "--family", "ipv4", "--rules", file))
                .isEqualTo(1);
        assertThat(out.toString()).contains("outside 203.0.113.", "Service shop/web:http");
    }

    @Test
    void an_answer_that_gets_lost_has_a_reason() {
        assertThat(
                        run(
                                "trace",
                                "--node",
                                "worker-1",
                                "--rules",
                                "src/test/resources/kube-proxy/shop.nftables.ipv4",
                                "--from",
                                "outside:10.244.2.9",
                                "--to",
                                "192.0.2.11:30443"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .contains("the answer takes another way and is lost")
                .contains("reason   ANSWER_LOST:")
                .contains("object   Service shop/gateway:https");
    }

    @Test
    void a_rule_that_is_missing_has_a_reason() throws IOException {
        String file = rules("flush chain ip pointsman nat-prerouting\n");
        assertThat(
                        run(
                                "trace",
                                "--node",
                                "worker-1",
                                "--rules",
                                file,
                                "--from",
                                "10.244.1.10",
                                "--to",
                                "192.0.2.11:30080"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .contains("reason   WRONG_RULE: no rule translates it")
                .contains("object   Service shop/web:http");
    }

    @Test
    void a_pod_reaches_each_endpoint_with_its_exact_share() {
        assertThat(
                        run(
                                "trace",
                                "--node",
                                "worker-1",
                                "--from",
                                "10.244.1.10",
                                "--to",
                                "svc/shop/web"))
                .isZero();
        assertThat(out.toString())
                .contains("flow   pod 10.244.1.10 -> tcp 10.96.10.1:80, Service shop/web:http")
                .contains("1/2   leaves by cni0 for 10.244.1.10:8080, which sees 192.0.2.11;")
                .contains(
                        "1/2   leaves by eth0 for 10.244.2.10:8080, which sees the sender's own"
                                + " 10.244.1.10; the answer finds back")
                .contains("element 10.96.10.1 . 6 . 80 of services");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pod/shop/nobody | svc/shop/web         | there is no Pod shop/nobody",
                "host            | svc/shop/nothing     | no Service shop/nothing with a cluster IP",
                "pod/shop/migrate-28f4k | svc/shop/web  | Pod shop/migrate-28f4k has no address",
                "host            | svc/shop/web:ftp     | there is no port ftp of shop/web",
                "host            | svc/kube-system/kube-dns:53 | say which port of kube-system/kube-dns",
                "outside:192.0.2.11 | svc/shop/web      | 192.0.2.11 is the node's own; give host",
                "host            | 10.96.10.1           | has no port",
                "host            | 10.96.10.1:80/icmp   | is none of tcp, udp, sctp",
                "host            | 10.96.10.1:0         | port 0 is not within 1..65535",
                "outside:nobody  | svc/shop/web         | is no IP address",
                "224.0.0.1       | svc/shop/web         | nobody sends from 224.0.0.1",
                "outside:1.2.3.4 | 127.0.0.1:30080      | is the sender's own loopback",
            })
    void what_cannot_be_traced_is_said(String from, String to, String message) {
        assertThat(run("trace", "--node", "worker-1", "--from", from, "--to", to)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }
}
