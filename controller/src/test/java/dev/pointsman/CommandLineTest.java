package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.sync.InMemoryKernel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CommandLineTest {
    private static final String NODES =
            """
            apiVersion: v1
            kind: Node
            metadata: {name: node-a}
            status: {addresses: [{type: InternalIP, address: 192.0.2.1}]}
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: node-b}
            status: {addresses: [{type: InternalIP, address: 192.0.2.2}]}
            """;
    private static final String WEB =
            """
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop, creationTimestamp: "2026-01-01T00:00:00Z"}
            spec:
              type: NodePort
              clusterIP: 10.96.0.10
              clusterIPs: [10.96.0.10]
              ipFamilies: [IPv4]
              externalTrafficPolicy: Local
              externalIPs: [198.51.100.5]
              ports: [{name: http, port: 80, nodePort: 30080, protocol: TCP, targetPort: 8080}]
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata:
              name: web-1
              namespace: shop
              labels: {kubernetes.io/service-name: web}
            addressType: IPv4
            ports: [{name: http, port: 8080, protocol: TCP}]
            endpoints:
            - {addresses: [10.1.0.1], nodeName: node-a, conditions: {ready: true}}
            - {addresses: [10.1.0.2], nodeName: node-b, conditions: {ready: true}}
            - addresses: [10.1.0.3]
              nodeName: node-a
              conditions: {ready: false, serving: true, terminating: true}
            - {addresses: [10.1.0.4], nodeName: node-a, conditions: {ready: false}}
            """;
    private static final String RIVAL =
            """
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: rival, namespace: shop, creationTimestamp: "2026-02-01T00:00:00Z"}
            spec:
              clusterIP: 10.96.0.11
              externalIPs: [198.51.100.5]
              ports: [{name: http, port: 80, protocol: TCP}]
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata:
              name: rival-1
              namespace: shop
              labels: {kubernetes.io/service-name: rival}
            addressType: IPv4
            ports: [{name: web, port: 8080, protocol: TCP}]
            endpoints: [{addresses: [10.1.0.9], nodeName: node-a}]
            """;

    private final StringWriter err =
            new StringWriter() {
                @Override
                public void write(String text, int from, int length) {
                    super.write(text, from, length);
                    if (!whenSaid.isEmpty() && text.contains(whenSaid)) {
                        whenSaid = "";
                        assertThatCode(thenDo).doesNotThrowAnyException();
                    }
                }
            };
    private String whenSaid = "";
    private ThrowingCallable thenDo = () -> {};
    private final InMemoryMode mode = new InMemoryMode();
    private final Console console = new Console(() -> List.of(mode), "Node-A", err);
    private final StringWriter out = console.out;
    private InputStream in = InputStream.nullInputStream();

    @TempDir private Path folder = Path.of("");
    private String shop = "";

    @BeforeEach
    void write() throws IOException {
        shop = file("shop.yaml", NODES + WEB);
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private int run(String... args) {
        return console.run(in, List.of(args));
    }

    private static final String SCRIPT =
            """
            node IPv4
            add 10.96.0.10:80/tcp of shop/web:http
            add 198.51.100.5:80/tcp of shop/web:http
            add node:30080/tcp of shop/web:http
            """;

    @Test
    void render_prints_the_script_of_both_families_and_nothing_else() {
        assertThat(
                        run(
                                "render",
                                "-f",
                                shop,
                                "--node",
                                "node-a",
                                "--cluster-cidr",
                                "10.1.0.0/16,fd00::/64"))
                .isZero();
        assertThat(out.toString()).isEqualTo(SCRIPT + "node IPv6\n");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void render_reads_standard_input_and_one_family() {
        in = new ByteArrayInputStream((NODES + WEB).getBytes(StandardCharsets.UTF_8));
        assertThat(run("render", "-f", "-", "--node", "node-a", "--family", "ipv4")).isZero();
        assertThat(out.toString()).isEqualTo(SCRIPT);
        assertThat(err.toString())
                .isEqualTo(
                        "warning: configuration: clusterCIDR: is not set, so that pods of this node"
                                + " cannot be told from others; nothing for cluster IPs is masqueraded"
                                + " by where it comes from, and pods get no short cut to Services with"
                                + " external policy Local; give --cluster-cidr or a detectLocalMode\n");
    }

    @Test
    void render_as_json_has_counts_script_and_findings() {
        assertThat(run("render", "-f", shop, "--node", "node-a", "--family", "ipv4", "-o", "json"))
                .isZero();
        assertThat(out.toString())
                .contains(
                        "\"apiVersion\": \"pointsman.dev/v1alpha1\"",
                        "\"kind\": \"Rendering\"",
                        "\"frontends\": 3",
                        "\"endpoints\": 2",
                        "\"elements\": 3",
                        "\"script\": \"node IPv4\\nadd 10.96.0.10:80/tcp of shop/web:http\\n",
                        "\"severity\": \"warning\"");
    }

    @Test
    void render_names_conflicts_and_ports_without_counterpart() throws IOException {
        String both = file("both.yaml", NODES + WEB + RIVAL);
        assertThat(run("render", "-f", both, "--node", "node-a", "--family", "ipv4")).isZero();
        assertThat(err.toString())
                .contains(
                        "warning: Service shop/rival: its 198.51.100.5:80/tcp (IPv4) belongs to"
                                + " shop/web:http; it is not served there until shop/web gives it"
                                + " up\n",
                        "warning: Service shop/rival: spec.ports: port \"http\" TCP has no"
                                + " counterpart in its slices, which have \"web\" TCP; it has no"
                                + " endpoints and is refused; names and protocols must be equal\n");
    }

    @Test
    void a_node_that_runs_nothing_is_pointed_out() throws IOException {
        String file = file("c.yaml", NODES + WEB + "---\n" + NODES.replace("node-b", "node-c"));
        assertThat(run("render", "-f", file, "--node", "node-c")).isZero();
        assertThat(err.toString())
                .contains(
                        "no endpoint has nodeName \"node-c\"; those there are have node-a, node-b");
    }

    @Test
    void an_unknown_node_is_answered_with_those_there_are() {
        assertThat(run("render", "-f", shop, "--node", "node-x")).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("node-x", "node-a, node-b").hasLineCount(1);

        assertThat(run("render", "-f", shop)).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo(
                        "error: --node: give the Node to act as; the snapshot has node-a, node-b\n");
    }

    @Test
    void what_cannot_be_read_at_all_is_an_error() throws IOException {
        assertThat(run("render", "-f", folder + "/none.yaml", "--node", "node-a")).isEqualTo(2);
        assertThat(err.toString()).contains("none.yaml", "error: there is no object in ");
        assertThat(run("render", "-f", file("empty.yaml", ""), "--node", "node-a")).isEqualTo(2);
    }

    @Test
    void an_object_that_cannot_be_used_costs_only_itself_unless_strict() throws IOException {
        String bad = file("bad.yaml", NODES + WEB + RIVAL.replace("10.96.0.11", "10.96.0.x"));
        assertThat(run("render", "-f", bad, "--node", "node-a", "--family", "ipv4")).isZero();
        assertThat(out.toString()).isEqualTo(SCRIPT);
        assertThat(err.toString()).contains("error: ", "10.96.0.x");

        assertThat(run("render", "-f", bad, "--node", "node-a", "--strict")).isEqualTo(2);
        assertThat(out.toString()).startsWith(SCRIPT);
    }

    @Test
    void the_configuration_counts_offline_as_live() throws IOException {
        String config =
                file(
                        "config.yaml",
                        """
                        apiVersion: kubeproxy.config.k8s.io/v1alpha1
                        kind: KubeProxyConfiguration
                        hostnameOverride: Node-A
                        clusterCIDR: 10.1.0.0/16,fd00::/64
                        nftables: {masqueradBit: 3}
                        """);
        assertThat(run("render", "-f", shop, "--config", config, "--family", "ipv4")).isZero();
        assertThat(out.toString()).isEqualTo(SCRIPT);
        assertThat(err.toString())
                .contains("masqueradBit is no field of KubeProxyConfiguration; ignored")
                .hasLineCount(1);
    }

    private static final String CONFIGURATION =
            """
            apiVersion: kubeproxy.config.k8s.io/v1alpha1
            kind: KubeProxyConfiguration
            clusterCIDR: 10.1.0.0/16,fd00::/64
            """;

    /// As kubelet mounts a ConfigMap: the file is a link through a link that is swapped.
    private String mounted(String text) throws IOException {
        swap("one", text);
        return Files.createSymbolicLink(
                        folder.resolve("config.conf"), Path.of("..data/config.conf"))
                .toString();
    }

    private void swap(String version, String text) throws IOException {
        Path data = Files.createDirectories(folder.resolve(version));
        Files.writeString(data.resolve("config.conf"), text);
        Path link = Files.createSymbolicLink(folder.resolve("..new"), Path.of(version));
        Files.move(link, folder.resolve("..data"), StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    @Timeout(60)
    void run_takes_over_other_rules_and_ends_for_all_else_when_the_configuration_changes()
            throws IOException {
        String config = mounted(CONFIGURATION);
        whenSaid = "IPv6: brought up to date";
        thenDo =
                () -> {
                    whenSaid = "the configuration changed in nftables.masqueradeBit; taken over";
                    thenDo = () -> swap("three", CONFIGURATION + "bindAddress: 192.0.2.1\n");
                    swap("two", CONFIGURATION + "nftables: {masqueradeBit: 3}\n");
                };
        assertThat(run("run", "--snapshot", shop, "--config", config)).isEqualTo(75);
        assertThat(err.toString())
                .contains("the configuration changed in nftables.masqueradeBit; taken over")
                .contains("bindAddress, ", "which takes a new start; ended, rules stay in place");
        assertThat(mode.kernel(Family.IPV4).held().frontends()).hasSize(3);
    }

    @Test
    void a_broken_configuration_is_refused_with_all_its_problems() throws IOException {
        String config = file("config.yaml", "kind: Pod\nmode: x\n");
        assertThat(run("render", "-f", shop, "--config", config, "--node", "node-a")).isEqualTo(2);
        assertThat(err.toString()).hasLineCount(3);
    }

    @Test
    void a_mode_that_is_not_there_is_answered_with_those_there_are() {
        assertThat(run("render", "-f", shop, "--node", "node-a", "--mode", "nftable")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo(
                        "error: --mode: this Pointsman has no mode \"nftable\"; it has nftables\n");
    }

    @Test
    void plan_shows_the_difference_and_says_so_with_its_exit_code() throws IOException {
        String both = file("both.yaml", NODES + WEB.replace("10.1.0.2", "10.1.0.7") + RIVAL);
        assertThat(run("plan", "--from", shop, "-f", both, "--node", "node-a", "--family", "ipv4"))
                .isEqualTo(1);
        assertThat(out.toString())
                .isEqualTo(
                        """
                        # IPv4: Frontends 1 added, 0 removed, 3 changed; endpoints 1 added, 1 removed; 0 rules and 4 elements written
                        replace 10.96.0.10:80/tcp of shop/web:http
                        add 10.96.0.11:80/tcp of shop/rival:http
                        replace 198.51.100.5:80/tcp of shop/web:http
                        replace node:30080/tcp of shop/web:http
                        """);

        assertThat(run("plan", "--from", shop, "-f", shop, "--node", "node-a")).isZero();
        assertThat(out.toString()).hasLineCount(2).contains("0 rules and 0 elements");
    }

    @Test
    void plan_from_nothing_is_what_render_prints_and_removal_is_planned_too() throws IOException {
        assertThat(run("plan", "-f", shop, "--node", "node-a", "--family", "ipv4")).isEqualTo(1);
        assertThat(out.toString()).endsWith(SCRIPT);

        String none = file("none.yaml", NODES);
        assertThat(
                        run(
                                "plan",
                                "--from",
                                shop,
                                "-f",
                                none,
                                "--node",
                                "node-a",
                                "--family",
                                "ipv4",
                                "-o",
                                "json"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("\"removed\": 3", "\"changes\": true");
    }

    @Test
    void get_services_tells_what_traffic_meets_by_origin() {
        assertThat(
                        run(
                                "get",
                                "svc",
                                "-f",
                                shop,
                                "-n",
                                "shop",
                                "--node",
                                "node-a",
                                "--cluster-cidr",
                                "10.1.0.0/16"))
                .isZero();
        assertThat(out.toString())
                .isEqualTo(
                        """
                        SERVICE         FRONTEND                KIND         FROM POD   FROM HOST         FROM OUTSIDE      NOTES
                        shop/web:http   10.96.0.10:80/tcp       ClusterIP    2, kept    2, masqueraded    2, masqueraded
                        shop/web:http   198.51.100.5:80/tcp     ExternalIP   2, kept    2, masqueraded    1 local, kept
                        shop/web:http   node:30080/tcp (IPv4)   NodePort     2, kept    2, masqueraded    1 local, kept
                        """
                                .replace("2, masqueraded    2", "2, masqueraded   2")
                                .replace("2, masqueraded    1", "2, masqueraded   1")
                                .replace(
                                        "FROM HOST         FROM OUTSIDE      NOTES",
                                        "FROM HOST        FROM OUTSIDE     NOTES"));
    }

    @Test
    void get_endpoints_tells_why_each_is_used_or_not() {
        assertThat(run("get", "endpoints", "-f", shop, "-A", "--node", "node-a")).isZero();
        assertThat(out.toString())
                .isEqualTo(
                        """
                        SERVICE         ENDPOINT            NODE     CONDITION   CLUSTER                         LOCAL
                        shop/web:http   10.1.0.1:8080/tcp   node-a   ready       yes                             yes
                        shop/web:http   10.1.0.2:8080/tcp   node-b   ready       yes                             no: runs on node-b
                        shop/web:http   10.1.0.3:8080/tcp   node-a   draining    no: draining, others are ready   no: draining, others are ready
                        shop/web:http   10.1.0.4:8080/tcp   node-a   not ready   no: not ready                   no: not ready
                        """
                                .replace(
                                        "CLUSTER                         LOCAL",
                                        "CLUSTER                          LOCAL")
                                .replace(
                                        "yes                             ",
                                        "yes                              ")
                                .replace(
                                        "no: not ready                   ",
                                        "no: not ready                    "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"services", "endpoints"})
    void get_shows_all_namespaces_unless_told_otherwise(String things) {
        assertThat(run("get", things, "-f", shop, "--node", "node-a")).isZero();
        assertThat(out.toString()).contains("shop/web:http");
    }

    @Test
    void get_says_where_to_look_when_the_namespace_is_empty() {
        assertThat(run("get", "services", "-f", shop, "--node", "node-a", "-n", "x")).isZero();
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .contains("there are no Services in namespace x; without -n all are shown");
        assertThat(run("get", "endpoints", "-f", shop, "-A", "--node", "node-a", "-o", "json"))
                .isZero();
        assertThat(out.toString())
                .contains("\"kind\": \"EndpointList\"", "\"reason\": \"runs on node-b\"");
    }

    @Test
    void run_once_programs_the_kernel_and_a_second_time_finds_it_in_place() {
        assertThat(run("run", "--snapshot", shop, "--once")).isZero();
        assertThat(mode.kernel(Family.IPV4).held().frontends()).hasSize(3);
        assertThat(err.toString()).contains("1970-01-01T00:00:00Z IPv4: brought up to date");
        assertThat(run("run", "--snapshot", shop, "--once", "--node", "node-a")).isZero();
        assertThat(err.toString()).contains("the kernel already holds all 3 Frontends");
        assertThat(mode.kernel(Family.IPV4).commits()).isEqualTo(1);
    }

    @Test
    void run_once_tells_by_its_exit_code_how_far_it_came() {
        mode.kernel(Family.IPV4).refuses(new ServiceName("shop", "web"));
        assertThat(run("run", "--snapshot", shop, "--once")).isEqualTo(1);
        assertThat(err.toString()).contains("Service shop/web is set aside");

        mode.kernel(Family.IPV4).is(InMemoryKernel.Mood.BUSY);
        assertThat(run("run", "--snapshot", shop, "--once")).isEqualTo(3);
        assertThat(run("run", "--snapshot", shop, "--once", "--node", "x")).isEqualTo(2);
    }

    static Stream<String> incomplete() {
        return Stream.of(
                "",
                NODES + WEB.substring(0, WEB.indexOf("addressType")) + "addressType: [",
                NODES + "---\njust text\n",
                NODES + WEB.substring(0, WEB.indexOf("---", 4)));
    }

    @ParameterizedTest
    @MethodSource("incomplete")
    void run_once_on_an_incomplete_snapshot_leaves_the_rules_of_an_earlier_process(String text)
            throws IOException {
        run("run", "--snapshot", shop, "--once");
        String other = file("other.yaml", text);
        assertThat(run("run", "--snapshot", other, "--once", "--node", "node-a")).isEqualTo(2);
        assertThat(mode.kernel(Family.IPV4).held().frontends()).hasSize(3);
        assertThat(err.toString()).contains("nothing was written and what the kernel holds stays");
    }

    @Test
    void run_once_takes_a_missing_or_an_emptied_file_for_incomplete() throws IOException {
        String nodes = file("nodes.yaml", NODES);
        String empty = file("empty.yaml", "");
        for (String lacking : List.of(folder + "/none.yaml", empty, folder + "/none")) {
            assertThat(run("run", "--snapshot", nodes, lacking, "--once")).isEqualTo(2);
        }
        assertThat(run("run", "--snapshot", nodes, "--once")).isZero();
    }

    @ParameterizedTest
    @MethodSource("incomplete")
    void run_waits_until_an_incomplete_snapshot_is_complete(String text) throws IOException {
        run("run", "--snapshot", shop, "--once");
        String other = file("other.yaml", text);
        // The first thing it does with the complete file ends it.
        mode.kernel(Family.IPV4).is(InMemoryKernel.Mood.UNREACHABLE);
        mode.kernel(Family.IPV6).is(InMemoryKernel.Mood.UNREACHABLE);
        whenSaid = "what the kernel holds stays until they are complete";
        thenDo = () -> Files.writeString(Path.of(other), NODES + WEB);
        assertThat(run("run", "--snapshot", other)).isEqualTo(3);
        assertThat(err.toString())
                .containsSubsequence(
                        "nothing is written and what the kernel holds stays until they are complete",
                        "Operation not permitted");
    }

    @Test
    void services_without_any_slice_are_answered_with_how_to_take_a_full_snapshot()
            throws IOException {
        String some = file("some.yaml", NODES + WEB.substring(0, WEB.indexOf("---", 4)));
        assertThat(run("run", "--snapshot", some, "--once")).isEqualTo(2);
        assertThat(err.toString())
                .contains("kubectl get nodes,services,endpointslices,servicecidrs -A -o yaml");
        assertThat(run("render", "-f", some, "--node", "node-a")).isZero();
    }

    @Test
    void run_without_a_source_or_with_a_broken_one_says_what_to_give() throws IOException {
        assertThat(run("run")).isEqualTo(2);
        assertThat(err.toString()).contains("--kubeconfig", "--snapshot");
        assertThat(run("run", "--kubeconfig", folder + "/none")).isEqualTo(2);
        assertThat(err.toString()).contains("none: there is no such file");
        assertThat(run("run", "--kubeconfig", file("bad", "a: ["))).isEqualTo(2);
        assertThat(err.toString()).contains("bad").doesNotContain("\tat ");
        assertThat(run("run", "--kubeconfig", shop, "--snapshot", shop)).isEqualTo(2);
        assertThat(run("run", "--snapshot", "-")).isEqualTo(2);
    }

    @Test
    void run_ends_when_an_address_is_taken_and_the_configuration_wants_that() throws IOException {
        try (ServerSocket other = new ServerSocket(0)) {
            String taken = "127.0.0.1:" + other.getLocalPort();
            String[] line = {
                "run",
                "--snapshot",
                shop,
                "--bind-address-hard-fail",
                "--metrics-bind-address=" + taken,
                "--healthz-bind-address="
            };
            assertThat(run(line)).isEqualTo(3);
            assertThat(err.toString())
                    .contains(
                            "error: cannot serve metrics at " + taken + ": Address already in use");
            assertThat(mode.kernel(Family.IPV4).attempts()).isZero();

            mode.kernel(Family.IPV4).is(InMemoryKernel.Mood.UNREACHABLE);
            mode.kernel(Family.IPV6).is(InMemoryKernel.Mood.UNREACHABLE);
            line[4] = "--metrics-bind-address=";
            assertThat(run(line)).isEqualTo(3);
            assertThat(err.toString())
                    .contains("the kernel cannot be reached")
                    .doesNotContain(taken);
        }
        assertThat(run("run", "--snapshot", shop, "--healthz-bind-address=here")).isEqualTo(2);
        assertThat(err.toString()).contains("\"here\" is no IP address");
    }

    @Test
    void run_gives_up_on_a_kernel_that_it_never_reached() {
        mode.kernel(Family.IPV4).is(InMemoryKernel.Mood.UNREACHABLE);
        mode.kernel(Family.IPV6).is(InMemoryKernel.Mood.UNREACHABLE);
        assertThat(run("run", "--snapshot", shop)).isEqualTo(3);
        assertThat(err.toString())
                .contains("the kernel cannot be reached: ", "Operation not permitted; run as root")
                .doesNotContain("repair in", "rules stay in place");
    }

    @Test
    void a_family_that_is_not_reached_is_named_when_the_other_one_is() {
        mode.kernel(Family.IPV4).is(InMemoryKernel.Mood.UNREACHABLE);
        assertThat(run("run", "--snapshot", shop, "--once")).isEqualTo(3);
        assertThat(err.toString())
                .contains(
                        "IPv4: netlink: Operation not permitted; run as root; this node is"
                                + " served without IPv4",
                        "IPv6: brought up to date")
                .doesNotContain("repair in");
    }

    @Test
    void cleanup_removes_everything_and_then_finds_nothing() {
        run("run", "--snapshot", shop, "--once");
        assertThat(run("cleanup")).isZero();
        assertThat(out.toString())
                .isEqualTo("memory rules IPv4\nmemory rules IPv6\nobjects removed: 2\n");
        assertThat(mode.kernel(Family.IPV4).held().frontends()).isEmpty();
        assertThat(run("cleanup", "--mode", "nftables")).isZero();
        assertThat(out.toString()).isEqualTo("objects removed: 0\n");
        assertThat(err.toString()).isEmpty();
        assertThat(run("cleanup", "--mode", "ipvs")).isEqualTo(2);
        mode.kernel(Family.IPV6).is(InMemoryKernel.Mood.UNREACHABLE);
        assertThat(run("cleanup")).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "get",
                "rendr",
                "render --nod x",
                "run --onc",
                "completion tcsh",
                "man nothing",
                "plan"
            })
    void misuse_is_told_in_few_lines_and_without_a_trace(String line) {
        assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .startsWith("error: ")
                .contains("See pointsman", "--help")
                .doesNotContain("\tat ");
        assertThat(err.toString().lines().count()).isLessThanOrEqualTo(4);
    }

    @Test
    void a_misspelt_command_is_answered_with_the_nearest() {
        run("rendr");
        assertThat(err.toString()).contains("Did you mean", "render");
    }

    @Test
    void a_bug_is_one_line_and_with_v_a_trace() {
        mode.kernel(Family.IPV4).is(InMemoryKernel.Mood.BROKEN);
        run("run", "--snapshot", shop, "--once", "--family", "ipv6");
        mode.kernel(Family.IPV6).is(InMemoryKernel.Mood.BROKEN);
        assertThat(run("cleanup")).isEqualTo(70);
        assertThat(err.toString())
                .startsWith("error: this is a bug in Pointsman: a test broke the backend\n")
                .doesNotContain("\tat ");
        assertThat(run("cleanup", "-v")).isEqualTo(70);
        assertThat(err.toString()).contains("\tat ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "render",
                "plan",
                "run",
                "get services",
                "get endpoints",
                "get draining",
                "cleanup"
            })
    void help_documents_exit_codes(String command) {
        assertThat(run((command + " --help").split(" "))).isZero();
        assertThat(out.toString()).contains("Usage: pointsman " + command, "Exit codes:", "  2 ");
    }

    @Test
    void version_and_completion_are_printed() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).matches("pointsman \\d.*\\R");
        assertThat(run("completion", "bash")).isZero();
        assertThat(out.toString()).contains("complete -F", "pointsman");
    }
}
