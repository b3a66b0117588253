package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.sync.InMemoryKernel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `config view`, `validate` and `convert`, and kube-proxy's own command line.
final class ConfigCommandsTest {
    private static final String SHAPES = "src/test/resources/configurations/";
    private static final String HEAD =
            "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n";

    private final InMemoryMode mode = new InMemoryMode();
    private final Console console = new Console(() -> List.of(mode), "node-a");
    private InputStream in = InputStream.nullInputStream();

    @TempDir private Path folder = Path.of("");

    private int run(String... line) {
        return console.run(in, List.of(line));
    }

    private String out() {
        return console.out.toString();
    }

    private String err() {
        return console.err.toString();
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void view_shows_every_field_and_says_where_the_mode_came_from() {
        assertThat(run("config", "view", "--cluster-cidr", "10.1.0.0/16")).isZero();
        assertThat(err())
                .isEqualTo(
                        "mode nftables: nobody names one: Pointsman's default, which is not"
                                + " kube-proxy's (iptables)\n");
        assertThat(out())
                .contains(
                        "apiVersion: \"kubeproxy.config.k8s.io/v1alpha1\"",
                        "clusterCIDR: \"10.1.0.0/16\"",
                        "  maxPerCore: 32768",
                        "healthzBindAddress: \"0.0.0.0:10256\"",
                        "mode: \"nftables\"",
                        "  minSyncPeriod: \"0s\"",
                        "oomScoreAdj: -999");
        assertThat(run("config", "view", "--proxy-mode=ipvs", "-o", "json")).isZero();
        assertThat(err()).contains("mode ipvs: --proxy-mode");
        assertThat(out()).contains("\"mode\": \"ipvs\"", "\"qps\": 5", "\"strictARP\": false");
        assertThat(run("config", "view", "--mode=iptables", "--proxy-mode=ipvs")).isZero();
        assertThat(err()).contains("mode iptables: --mode");
    }

    @Test
    void view_names_the_line_of_the_mode() {
        assertThat(run("config", "view", "--config", SHAPES + "kind.yaml", "--v=2")).isZero();
        assertThat(err()).contains("mode iptables: " + SHAPES + "kind.yaml:22: mode");
        assertThat(out()).contains("verbosity: 2");
    }

    @Test
    void validate_tells_all_problems_with_their_lines() throws IOException {
        String bad = file("bad.yaml", HEAD + "mode: x\noomScoreAdj: 5000\n");
        assertThat(run("config", "validate", bad)).isEqualTo(1);
        assertThat(out())
                .isEqualTo(
                        "problem: %1$s:3: mode: \"x\" is none of iptables, ipvs, nftables\nproblem: %1$s:4: oomScoreAdj: \"5000\" is not within -1000..1000\n"
                                .formatted(bad));
        assertThat(run("config", "validate", bad, "-o", "json")).isEqualTo(1);
        assertThat(out()).contains("\"kind\": \"ConfigurationCheck\"", ":4: oomScoreAdj");
    }

    @Test
    void validate_lists_warnings_and_minds_them_only_when_strict() throws IOException {
        String odd = file("odd.yaml", HEAD + "mod: x\n");
        assertThat(run("config", "validate", odd)).isZero();
        assertThat(out())
                .isEqualTo(
                        "warning: "
                                + odd
                                + ":3: mod is no field of KubeProxyConfiguration; ignored\n");
        assertThat(run("config", "validate", odd, "--strict")).isEqualTo(1);
        assertThat(run("config", "validate", folder + "/none")).isEqualTo(2);
        assertThat(err()).contains("none: cannot be read: there is no such file");
        in = new ByteArrayInputStream(HEAD.getBytes(StandardCharsets.UTF_8));
        assertThat(run("config", "validate", "-")).isZero();
    }

    @Test
    void convert_makes_a_configuration_of_flags() {
        assertThat(
                        run(
                                "config",
                                "convert",
                                "--from-flags",
                                "--",
                                "--proxy-mode=ipvs",
                                "--ipvs-strict-arp",
                                "--ipvs-exclude-cidrs=10.9.0.0/16",
                                "--conntrack_min",
                                "5",
                                "-v",
                                "2",
                                "--healthz-port=0",
                                "--cleanup"))
                .isZero();
        assertThat(out())
                .isEqualTo(
                        """
                        apiVersion: "kubeproxy.config.k8s.io/v1alpha1"
                        conntrack:
                          min: 5
                        healthzBindAddress: ""
                        ipvs:
                          excludeCIDRs:
                          - "10.9.0.0/16"
                          strictARP: true
                        kind: "KubeProxyConfiguration"
                        logging:
                          verbosity: 2
                        mode: "ipvs"
                        """);
        assertThat(err())
                .contains(
                        "warning: --cleanup is no part of a configuration",
                        "warning: --healthz-port=0 cannot be said in a file");
    }

    @Test
    void convert_reads_what_kops_writes() {
        assertThat(run("config", "convert", SHAPES + "kops.yaml")).isZero();
        assertThat(out())
                .isEqualTo(
                        """
                        apiVersion: "kubeproxy.config.k8s.io/v1alpha1"
                        clientConnection:
                          kubeconfig: "/var/lib/kube-proxy/kubeconfig"
                        clusterCIDR: "100.96.0.0/11"
                        conntrack:
                          maxPerCore: 131072
                        hostnameOverride: "i-0123456789abcdef0"
                        kind: "KubeProxyConfiguration"
                        logging:
                          verbosity: 2
                        oomScoreAdj: -998
                        """);
        assertThat(err()).contains("--master is no part of a configuration");
    }

    @Test
    void convert_reads_a_shell_script_and_leaves_out_what_differs_by_node() {
        assertThat(run("config", "convert", SHAPES + "shell.yaml")).isZero();
        assertThat(out())
                .contains("mode: \"ipvs\"", "strictARP: true", "verbosity: 2")
                .doesNotContain("hostnameOverride");
        assertThat(err()).contains("--hostname-override: Kubernetes fills $(NODE_NAME) in");
    }

    @Test
    void convert_takes_a_configuration_out_of_its_config_map() {
        assertThat(run("config", "convert", SHAPES + "kubeadm.yaml")).isZero();
        assertThat(out())
                .isEqualTo(
                        """
                        apiVersion: "kubeproxy.config.k8s.io/v1alpha1"
                        clientConnection:
                          kubeconfig: "/var/lib/kube-proxy/kubeconfig.conf"
                        clusterCIDR: "10.244.0.0/16"
                        kind: "KubeProxyConfiguration"
                        """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind: Secret\n",
                "kind: ConfigMap\ndata: {a: b}\n",
                "kind: Pod\nspec: {containers: [{name: web, command: [nginx]}]}\n",
                "kind: Pod\nspec: {containers: [{name: p, command: [kube-proxy, --config=/c]}]}\n",
                "kind: Pod\nspec: {containers: [{name: p, command: [kube-proxy, --no-such=1]}]}\n",
                "just text\n",
                "a: [\n",
                "",
            })
    void convert_refuses_what_it_does_not_understand(String text) throws IOException {
        assertThat(run("config", "convert", file("odd.yaml", text))).isEqualTo(2);
        assertThat(err()).startsWith("error: ").doesNotContain("bug");
        assertThat(out()).isEmpty();
    }

    @Test
    void a_command_line_of_kube_proxy_is_run_as_it_is() throws IOException {
        String config = file("config.conf", HEAD + "clusterCIDR: 10.1.0.0/16\n");
        for (String[] line :
                new String[][] {
                    {"--config=" + config, "--hostname-override=node-b"},
                    {"--v=2", "--config", config, "--hostname-override", "node-b"},
                    {"-v", "2", "--config", config, "--hostname-override", "node-b"},
                    {"-v=2", "--logtostderr", "--config=" + config, "--hostname_override=node-b"},
                }) {
            String[] dry = Arrays.copyOf(line, line.length + 1);
            dry[line.length] = "--write-config-to=" + folder.resolve("out.yaml");
            assertThat(run(dry)).isZero();
            assertThat(Files.readString(folder.resolve("out.yaml")))
                    .contains("hostnameOverride: \"node-b\"", "clusterCIDR: \"10.1.0.0/16\"");
            assertThat(run("config", "validate", folder + "/out.yaml")).isZero();
        }
    }

    @Test
    void flags_that_a_file_makes_moot_are_named() throws IOException {
        String config = file("config.conf", HEAD + "clusterCIDR: 10.1.0.0/16\n");
        assertThat(
                        run(
                                "--config",
                                config,
                                "--proxy-mode=ipvs",
                                "--cluster-cidr=10.9.0.0/16",
                                "--write-config-to=" + folder.resolve("out.yaml")))
                .isZero();
        assertThat(err())
                .contains(
                        config
                                + ": counts alone, as for kube-proxy: of what is given beside it,"
                                + " --proxy-mode, --cluster-cidr are ignored");
        assertThat(Files.readString(folder.resolve("out.yaml")))
                .contains("mode: \"nftables\"", "clusterCIDR: \"10.1.0.0/16\"");
    }

    @Test
    void what_is_written_has_the_kubeconfig_of_the_command_line() throws IOException {
        assertThat(run("--kubeconfig=/k", "--write-config-to=" + folder.resolve("out.yaml")))
                .isZero();
        assertThat(Files.readString(folder.resolve("out.yaml"))).contains("kubeconfig: \"/k\"");
    }

    @Test
    void init_only_sets_conntrack_up_and_ends() {
        assertThat(run("--init-only")).isZero();
        assertThat(err()).contains("nf_conntrack_max is missing");
    }

    @Test
    void init_only_prepares_the_mode_in_the_families_that_there_are() {
        assertThat(run("--init-only", "--cluster-cidr", "10.1.0.0/16,fd00::/64")).isZero();
        assertThat(mode.kernel(Family.IPV4).prepared()).isTrue();
        mode.kernel(Family.IPV6).is(InMemoryKernel.Mood.UNREACHABLE);
        assertThat(run("--init-only")).isZero();
        assertThat(err()).contains("IPv6: ");
        mode.kernel(Family.IPV4).is(InMemoryKernel.Mood.UNREACHABLE);
        assertThat(run("--init-only")).isEqualTo(3);
        assertThat(err()).contains("IPv4: ", "IPv6: ");
    }

    @Test
    void what_cannot_be_done_is_said() {
        assertThat(run("--write-config-to=" + folder + "/none/out.yaml")).isEqualTo(2);
        assertThat(err()).contains("cannot be written: there is no such file");
        assertThat(run("--write-config-to=/dev/full")).isEqualTo(2);
        assertThat(err()).contains("/dev/full cannot be written: No space left on device");
        assertThat(run("--no-such-flag")).isEqualTo(2);
        assertThat(err()).contains("--no-such-flag");
        assertThat(run("--proxy-mode=userspace")).isEqualTo(2);
        assertThat(err()).contains("--proxy-mode: \"userspace\" is none of");
    }

    @Test
    void cleanup_as_a_flag_is_the_command() {
        assertThat(run("--cleanup")).isZero();
        assertThat(out()).isEqualTo("objects removed: 0\n");
    }
}
