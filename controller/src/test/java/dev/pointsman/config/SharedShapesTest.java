package dev.pointsman.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Configurations in the shapes that installers give them.
final class SharedShapesTest {
    private static final Path FOLDER = Path.of("src/test/resources/configurations");

    private static ConfigReading.Read read(String file) {
        ConfigReading reading = ConfigReader.read(FOLDER.resolve(file), List.of(), ModeChoice.OPEN);
        assertThat(reading).isInstanceOf(ConfigReading.Read.class);
        return (ConfigReading.Read) reading;
    }

    private static ConfigReading.Read flags(String... given) {
        return (ConfigReading.Read) ConfigReader.read(given(given), ModeChoice.OPEN);
    }

    private static List<Flag.Given> given(String... given) {
        return List.of(given).stream()
                .map(text -> text.substring(2).split("=", 2))
                .map(parts -> new Flag.Given(Flag.named(parts[0]), parts[1]))
                .toList();
    }

    @Test
    void kubeadm_leaves_everything_to_the_defaults_but_the_pods_and_the_kubeconfig() {
        ConfigReading.Read read = read("kubeadm.yaml");
        assertThat(read.warnings()).isEmpty();
        assertThat(read.effective().differing())
                .containsExactly("clientConnection.kubeconfig", "clusterCIDR");
        assertThat(read.effective().modeOrigin()).startsWith("nobody names one");
    }

    @Test
    void kind_lets_the_machine_keep_its_conntrack() {
        ConfigReading.Read read = read("kind.yaml");
        assertThat(read.warnings()).isEmpty();
        assertThat(read.configuration().conntrack().maxPerCore()).isZero();
        assertThat(read.configuration().mode()).isEqualTo("iptables");
        assertThat(read.effective().modeOrigin())
                .isEqualTo(FOLDER.resolve("kind.yaml") + ":22: mode");
        assertThat(read.configuration().minSyncPeriod()).isEqualTo(Duration.ofSeconds(1));
        assertThat(read.configuration().conntrack().maxPerCore()).isZero();
        assertThat(read.configuration().conntrack().min()).isEqualTo(131072);
    }

    @Test
    void kubespray_spells_the_defaults_out() {
        ConfigReading.Read read = read("kubespray.yaml");
        assertThat(read.warnings())
                .containsExactly(
                        FOLDER.resolve("kubespray.yaml")
                                + ": featureGates has gates that kube-proxy 1.37 has not:"
                                + " KubeletInUserNamespace; ignored");
        assertThat(read.configuration().settings().ipvs().arp()).isEqualTo(IpvsSettings.Arp.STRICT);
        assertThat(read.configuration().hostnameOverride()).isEqualTo("worker-1");
        assertThat(read.configuration().syncPeriod()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void eks_has_a_field_that_is_gone_and_metrics_for_everybody() {
        ConfigReading.Read read = read("eks.yaml");
        String file = FOLDER.resolve("eks.yaml").toString();
        assertThat(read.warnings())
                .containsExactly(
                        file
                                + ":38: udpIdleTimeout is no field of KubeProxyConfiguration;"
                                + " ignored");
        assertThat(read.configuration().servers().metricsBindAddress())
                .isEqualTo(new ServerAddress.At(IpAddress.parse("0.0.0.0"), 10249));
        assertThat(read.configuration().oomScoreAdj()).isEqualTo(-998);
    }

    @Test
    void k3s_gives_everything_as_flags() throws Exception {
        ConfigReading.Read read =
                flags(Files.readAllLines(FOLDER.resolve("k3s.flags")).toArray(String[]::new));
        assertThat(read.warnings()).isEmpty();
        ProxyConfiguration configuration = read.configuration();
        assertThat(configuration.mode()).isEqualTo("iptables");
        assertThat(read.effective().modeOrigin()).isEqualTo("--proxy-mode");
        assertThat(configuration.settings().detectLocal())
                .isEqualTo(
                        new Settings.DetectLocal.ClusterRanges(
                                List.of(Cidr.parse("10.42.0.0/16"))));
        assertThat(configuration.servers().healthzBindAddress())
                .isEqualTo(new ServerAddress.At(IpAddress.parse("127.0.0.1"), 10256));
        assertThat(configuration.clientConnection().kubeconfig())
                .isEqualTo("/var/lib/rancher/k3s/agent/kubeproxy.kubeconfig");
    }

    @Test
    void a_config_map_in_one_quoted_line_is_read_with_lines_of_its_own() {
        ConfigReading reading =
                ConfigReader.read(
                        "cm",
                        "kind: ConfigMap\n"
                                + "data: {config.conf: \"apiVersion:"
                                + " kubeproxy.config.k8s.io/v1alpha1\\n"
                                + "kind: KubeProxyConfiguration\\nmode: x\\n\"}\n",
                        List.of(),
                        ModeChoice.OPEN);
        assertThat(reading)
                .isEqualTo(
                        new ConfigReading.Invalid(
                                List.of(
                                        "cm: config.conf:3: mode: \"x\" is none of iptables, ipvs,"
                                                + " nftables")));
    }

    @Test
    void a_config_map_of_something_else_is_told_so() {
        assertThat(
                        ConfigReader.read(
                                "cm",
                                "kind: ConfigMap\ndata: {a: b}\n",
                                List.of(),
                                ModeChoice.OPEN))
                .isEqualTo(
                        new ConfigReading.Invalid(
                                List.of(
                                        "cm: is a ConfigMap in which no entry is of kind"
                                                + " KubeProxyConfiguration")));
    }

    @Test
    void beside_a_file_the_host_name_and_logging_count_and_all_else_is_named() {
        ConfigReading.Read read =
                (ConfigReading.Read)
                        ConfigReader.read(
                                FOLDER.resolve("kubespray.yaml"),
                                given(
                                        "--proxy-mode=iptables",
                                        "--hostname-override=Other",
                                        "--v=4",
                                        "--logtostderr=true",
                                        "--masquerade-all=true"),
                                ModeChoice.OPEN);
        String file = FOLDER.resolve("kubespray.yaml").toString();
        assertThat(read.warnings())
                .contains(
                        file
                                + ": counts alone, as for kube-proxy: of what is given beside it,"
                                + " --proxy-mode, --masquerade-all are ignored",
                        file + ": accepted and not used: --logtostderr");
        assertThat(read.configuration().mode()).isEqualTo("ipvs");
        assertThat(read.configuration().hostnameOverride()).isEqualTo("other");
        assertThat(read.configuration().logging().verbosity()).isEqualTo(4);
        assertThat(read.configuration().settings().masquerade())
                .isEqualTo(Settings.MasqueradeScope.NOT_FROM_PODS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --proxy-mode=userspace              | --proxy-mode: "userspace" is none of iptables, ipvs, nftables
                    --cluster-cidr=10.0.0.0             | --cluster-cidr: "10.0.0.0" is no address range (address/prefix length)
                    --nodeport-addresses=primary,x      | --nodeport-addresses[1]: "x" is no address range (address/prefix length); give a range, primary, localhost or all
                    --oom-score-adj=9999                | --oom-score-adj: "9999" is not within -1000..1000
                    --masquerade-all=1                  | --masquerade-all: "1" is neither true nor false
                    --feature-gates=A                   | --feature-gates: "A" is no gate with a value, such as A=true
                    --feature-gates=AllAlpha=1          | --feature-gates: "1" is neither true nor false
                    --healthz-port=x                    | --healthz-port: "x" is no port
                    --metrics-port=70000                | --metrics-port: "127.0.0.1:70000" is no IP address with a port from 1 to 65535
                    """)
    void a_wrong_flag_is_named(String flag, String problem) {
        assertThat(ConfigReader.read(given(flag), ModeChoice.OPEN))
                .isInstanceOf(ConfigReading.Invalid.class);
        assertThat(
                        ((ConfigReading.Invalid) ConfigReader.read(given(flag), ModeChoice.OPEN))
                                .problems())
                .contains(problem);
    }

    @Test
    void a_flag_for_a_server_can_turn_it_off_or_give_its_port_alone() {
        assertThat(flags("--healthz-bind-address=").configuration().servers().healthzBindAddress())
                .isEqualTo(new ServerAddress.Off());
        Servers ports = flags("--healthz-port=0", "--metrics-port=1234").configuration().servers();
        assertThat(ports.healthzBindAddress()).isEqualTo(new ServerAddress.Off());
        assertThat(ports.metricsBindAddress())
                .isEqualTo(new ServerAddress.At(IpAddress.parse("127.0.0.1"), 1234));
        Servers own =
                flags("--metrics-bind-address=0.0.0.0:99", "--metrics-port=1234")
                        .configuration()
                        .servers();
        assertThat(own.metricsBindAddress())
                .isEqualTo(new ServerAddress.At(IpAddress.parse("0.0.0.0"), 99));
    }

    @Test
    void servers_listen_in_the_family_of_the_bind_address() {
        Servers servers = flags("--bind-address=::").configuration().servers();
        assertThat(servers.healthzBindAddress()).hasToString("[::]:10256");
        assertThat(servers.metricsBindAddress()).hasToString("[::1]:10249");
    }

    @Test
    void every_flag_sets_a_field_that_is_read() {
        for (Flag flag : Flag.ALL) {
            List<Flag.Given> given = List.of(new Flag.Given(flag, "0"));
            for (String warning :
                    switch (ConfigReader.read(given, ModeChoice.OPEN)) {
                        case ConfigReading.Read read -> read.warnings();
                        case ConfigReading.Invalid invalid -> invalid.problems();
                    }) {
                assertThat(warning).doesNotContain("is no field");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubeadm.yaml", "kind.yaml", "kubespray.yaml", "eks.yaml"})
    void what_is_shown_reads_as_the_same_again(String file) {
        ConfigReading.Read read = read(file);
        readsAs(read, read.effective().whole());
        readsAs(read, read.effective().differences());
    }

    @Test
    void what_is_shown_of_flags_reads_as_the_same_again() {
        ConfigReading.Read read =
                flags(
                        "--proxy-mode=ipvs",
                        "--ipvs-scheduler=wlc",
                        "--ipvs-exclude-cidrs=10.9.0.0/16,fd00:9::/64",
                        "--ipvs-tcp-timeout=1h1.5s",
                        "--nodeport-addresses=primary,192.0.2.0/24",
                        "--feature-gates=AllowServiceExternalIPs=false,AllAlpha=true",
                        "--kube-api-qps=7.5",
                        "--detect-local-mode=InterfaceNamePrefix",
                        "--pod-interface-name-prefix=on",
                        "--conntrack-udp-timeout=90ms",
                        "--hostname-override=0123");
        readsAs(read, read.effective().whole());
        readsAs(read, read.effective().differences());
    }

    private static void readsAs(ConfigReading.Read read, Value.Section document) {
        ConfigReading again =
                ConfigReader.read("view", ConfigYaml.of(document), List.of(), ModeChoice.OPEN);
        assertThat(again).isInstanceOf(ConfigReading.Read.class);
        assertThat(((ConfigReading.Read) again).configuration()).isEqualTo(read.configuration());
        assertThat(((ConfigReading.Read) again).effective().values())
                .isEqualTo(read.effective().values());
    }
}
