package dev.pointsman.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfigReaderTest {
    private static final String HEAD =
            """
            apiVersion: kubeproxy.config.k8s.io/v1alpha1
            kind: KubeProxyConfiguration
            """;

    private static ConfigReading.Read read(String body) {
        ConfigReading reading =
                ConfigReader.read("config.yaml", HEAD + body, List.of(), ModeChoice.OPEN);
        assertThat(reading).isInstanceOf(ConfigReading.Read.class);
        return (ConfigReading.Read) reading;
    }

    private static List<String> problems(String text) {
        ConfigReading reading = ConfigReader.read("config.yaml", text, List.of(), ModeChoice.OPEN);
        assertThat(reading).isInstanceOf(ConfigReading.Invalid.class);
        return ((ConfigReading.Invalid) reading).problems();
    }

    private static void hasDefaults(ConfigReading.Read read, String mode) {
        assertThat(read.configuration()).isEqualTo(ProxyConfiguration.defaults(mode));
        assertThat(read.warnings()).isEmpty();
    }

    @Test
    void an_empty_configuration_is_the_defaults() {
        hasDefaults(read(""), "nftables");
    }

    @Test
    void limits_of_requests_that_differ_are_told_to_have_no_effect_and_why() {
        String why =
                "config.yaml: clientConnection.burst and clientConnection.qps have no effect: each"
                        + " of the four kinds of object is read by one request after the other,"
                        + " page by page, and after a failure with a pause that grows to 30 s; a"
                        + " limit would only put off the start";
        assertThat(read("clientConnection: {qps: 7.5}").warnings()).containsExactly(why);
        assertThat(read("clientConnection: {burst: 50}").warnings()).containsExactly(why);
        assertThat(read("clientConnection: {qps: 5, burst: 10}").warnings()).isEmpty();
    }

    @Test
    void what_kubeadm_writes_is_read_without_a_warning_of_an_unknown_field() {
        ConfigReading.Read read =
                read(
                        """
                        bindAddress: 0.0.0.0
                        bindAddressHardFail: false
                        clientConnection:
                          acceptContentTypes: ""
                          burst: 0
                          contentType: ""
                          kubeconfig: /var/lib/kube-proxy/kubeconfig.conf
                          qps: 0
                        clusterCIDR: 10.244.0.0/16,fd00:10::/56
                        configSyncPeriod: 0s
                        conntrack:
                          maxPerCore: null
                          min: null
                          tcpBeLiberal: false
                          tcpCloseWaitTimeout: null
                        detectLocal:
                          bridgeInterface: ""
                          interfaceNamePrefix: ""
                        detectLocalMode: ""
                        enableProfiling: false
                        healthzBindAddress: ""
                        hostnameOverride: " Node-A "
                        iptables:
                          localhostNodePorts: null
                          masqueradeAll: false
                          masqueradeBit: null
                          minSyncPeriod: 0s
                          syncPeriod: 0s
                        ipvs:
                          excludeCIDRs: null
                          scheduler: ""
                        logging:
                          flushFrequency: 0
                          options:
                            json:
                              infoBufferSize: "0"
                            text:
                              infoBufferSize: "0"
                          verbosity: 0
                        metricsBindAddress: ""
                        mode: nftables
                        nftables:
                          masqueradeAll: false
                          masqueradeBit: null
                          minSyncPeriod: 0s
                          syncPeriod: 0s
                        nodePortAddresses: null
                        oomScoreAdj: null
                        portRange: ""
                        showHiddenMetricsForVersion: ""
                        winkernel:
                          enableDSR: false
                          networkName: ""
                        """);
        assertThat(read.warnings()).isEmpty();
        ProxyConfiguration configuration = read.configuration();
        assertThat(configuration.settings())
                .isEqualTo(
                        Settings.nftablesDefaults()
                                .withDetectLocal(
                                        new Settings.DetectLocal.ClusterRanges(
                                                List.of(
                                                        Cidr.parse("10.244.0.0/16"),
                                                        Cidr.parse("fd00:10::/56")))));
        assertThat(configuration.hostnameOverride()).isEqualTo("node-a");
        assertThat(configuration.clientConnection().kubeconfig())
                .isEqualTo("/var/lib/kube-proxy/kubeconfig.conf");
        assertThat(configuration.servers()).isEqualTo(Servers.DEFAULTS);
        assertThat(configuration.conntrack()).isEqualTo(Conntrack.DEFAULTS);
    }

    @Test
    void everything_that_decides_rules_is_read() {
        ProxyConfiguration read =
                read("""
                                detectLocalMode: InterfaceNamePrefix
                                detectLocal: {interfaceNamePrefix: veth}
                                featureGates: {AllowServiceExternalIPs: false}
                                nftables: {masqueradeBit: 3, masqueradeAll: true, minSyncPeriod: 1m0.5s, syncPeriod: 1h}
                                nodePortAddresses: [primary, localhost, all, 192.0.2.0/24]
                                """)
                        .configuration();
        assertThat(read.settings())
                .isEqualTo(
                        new Settings(
                                new Settings.DetectLocal.InterfacePrefix("veth"),
                                3,
                                Settings.MasqueradeScope.ALL,
                                List.of(
                                        new Settings.NodePortRange.Primary(),
                                        new Settings.NodePortRange.Range(Cidr.parse("127.0.0.0/8")),
                                        new Settings.NodePortRange.Range(Cidr.parse("::1/128")),
                                        new Settings.NodePortRange.All(),
                                        new Settings.NodePortRange.Range(
                                                Cidr.parse("192.0.2.0/24"))),
                                Settings.ClusterIpGuard.ON,
                                Settings.ExternalIps.IGNORED,
                                List.of(),
                                IpvsSettings.DEFAULTS));
        assertThat(read.minSyncPeriod()).isEqualTo(Duration.ofMillis(60_500));
        assertThat(read.syncPeriod()).isEqualTo(Duration.ofHours(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mode: userspace | config.yaml:3: mode: \"userspace\" is none of iptables, ipvs, nftables",
                "clusterCIDR: 10.0.0.0 | config.yaml:3: clusterCIDR: \"10.0.0.0\" is no address range (address/prefix length)",
                "clusterCIDR: 10.0.0.0/8,10.1.0.0/16 | config.yaml:3: clusterCIDR: \"10.0.0.0/8,10.1.0.0/16\" is more than one range of one family",
                "detectLocalMode: Magic | config.yaml:3: detectLocalMode: \"Magic\" is none of ClusterCIDR, NodeCIDR, BridgeInterface, InterfaceNamePrefix",
                "detectLocalMode: BridgeInterface | config.yaml: detectLocal.bridgeInterface is empty; detectLocalMode BridgeInterface needs it",
                "nodePortAddresses: [primary, x] | config.yaml:3: nodePortAddresses[1]: \"x\" is no address range (address/prefix length); give a range, primary, localhost or all",
                "nodePortAddresses: primary | config.yaml:3: nodePortAddresses is \"primary\" and should be a list",
                "nftables: {masqueradeBit: 32} | config.yaml:3: nftables.masqueradeBit: \"32\" is not within 0..31",
                "nftables: {masqueradeBit: x} | config.yaml:3: nftables.masqueradeBit: \"x\" is no number",
                "nftables: {masqueradeAll: yes} | config.yaml:3: nftables.masqueradeAll: \"yes\" is neither true nor false",
                "nftables: {syncPeriod: 30} | config.yaml:3: nftables.syncPeriod: \"30\" is no duration (such as 30s, 1m30s or 500ms)",
                "nftables: {syncPeriod: -1s} | config.yaml:3: nftables.syncPeriod: \"-1s\" is negative",
                "nftables: {syncPeriod: 1s, minSyncPeriod: 2s} | config.yaml: nftables.minSyncPeriod is longer than nftables.syncPeriod; make it the shorter one",
                "mode: [a] | config.yaml:3: mode is a list and should be a single value",
                "mode: {a: b} | config.yaml:3: mode is an object and should not be one",
                "nftables: 5 | config.yaml:3: nftables is \"5\" and should be an object",
                "conntrack: [1] | config.yaml:3: conntrack is a list and should be an object",
                "bindAddress: localhost | config.yaml:3: bindAddress: \"localhost\" is no IP address",
                "configSyncPeriod: -1s | config.yaml:3: configSyncPeriod: \"-1s\" is negative",
                "configSyncPeriod: soon | config.yaml:3: configSyncPeriod: \"soon\" is no duration (such as 30s, 1m30s or 500ms)",
                "ipvs: {scheduler: rr; reboot} | config.yaml:3: ipvs.scheduler: \"rr; reboot\" is no name of an IPVS scheduler (such as rr, wlc or mh: up to 15 small letters and digits)",
                "ipvs: {scheduler: sixteen-letters-} | config.yaml:3: ipvs.scheduler: \"sixteen-letters-\" is no name of an IPVS scheduler (such as rr, wlc or mh: up to 15 small letters and digits)",
                "ipvs: {scheduler: [rr]} | config.yaml:3: ipvs.scheduler is a list and should be a single value",
                "ipvs: {excludeCIDRs: [10.0.0.0/8, 10.1.2.3]} | config.yaml:3: ipvs.excludeCIDRs[1]: \"10.1.2.3\" is no address range (address/prefix length); give a range",
                "ipvs: {excludeCIDRs: 10.0.0.0/8} | config.yaml:3: ipvs.excludeCIDRs is \"10.0.0.0/8\" and should be a list",
                "ipvs: {strictARP: 1} | config.yaml:3: ipvs.strictARP: \"1\" is neither true nor false",
                "ipvs: {tcpTimeout: -1s} | config.yaml:3: ipvs.tcpTimeout: \"-1s\" is negative",
                "ipvs: {tcpFinTimeout: 30} | config.yaml:3: ipvs.tcpFinTimeout: \"30\" is no duration (such as 30s, 1m30s or 500ms)",
                "ipvs: {udpTimeout: 600000h} | config.yaml:3: ipvs.udpTimeout: \"600000h\" is longer than IPVS can count",
                "ipvs: {syncPeriod: 1s, minSyncPeriod: 2s} | config.yaml: ipvs.minSyncPeriod is longer than ipvs.syncPeriod; make it the shorter one",
                "detectLocal: {bridgeInterface: 'a b'} | config.yaml:3: detectLocal.bridgeInterface: \"a b\" has a blank, slash, quote, backslash, asterisk or control character in it",
                "detectLocal: {interfaceNamePrefix: much-too-long-a-name} | config.yaml:3: detectLocal.interfaceNamePrefix: \"much-too-long-a-name\" has 20 bytes and not 1..14",
            })
    void a_wrong_value_is_named_with_its_field(String line, String problem) {
        assertThat(problems(HEAD + line)).containsExactly(problem);
    }

    @Test
    void all_problems_are_told_at_once() {
        assertThat(problems("mode: x\nclusterCIDR: y\nkind: Pod\n")).hasSize(4);
    }

    @Test
    void a_wrong_name_is_not_also_called_missing() {
        assertThat(
                        problems(
                                HEAD
                                        + "detectLocalMode: BridgeInterface\n"
                                        + "detectLocal: {bridgeInterface: ..}\n"))
                .containsExactly(
                        "config.yaml:4: detectLocal.bridgeInterface: \"..\" is no name of an"
                                + " interface");
    }

    @Test
    void all_type_errors_are_told_at_once() {
        assertThat(
                        problems(
                                HEAD
                                        + "mode: {a: b}\nnftables: x\nclusterCIDR: [a]\n"
                                        + "nodePortAddresses: {a: b}\n"))
                .hasSize(4);
    }

    @Test
    void null_is_as_good_as_absent() {
        hasDefaults(
                read("nftables: null\ndetectLocal: ~\nconntrack:\nfoo: null\nmode: null\n"),
                "nftables");
    }

    @Test
    void a_file_that_cannot_be_read_is_said_so_in_plain_words(@TempDir Path folder)
            throws IOException {
        Path latin = Files.write(folder.resolve("latin"), new byte[] {'a', (byte) 0xe9, 'b'});
        assertThat(ConfigReader.read(folder.resolve("none"), List.of(), ModeChoice.OPEN))
                .hasToString(invalid(folder.resolve("none"), "there is no such file"));
        assertThat(ConfigReader.read(folder, List.of(), ModeChoice.OPEN))
                .hasToString(invalid(folder, "it is a folder"));
        assertThat(ConfigReader.read(latin, List.of(), ModeChoice.OPEN))
                .hasToString(invalid(latin, "it is no text in UTF-8"));
    }

    private static String invalid(Path file, String reason) {
        return new ConfigReading.Invalid(
                        List.of(file + ": cannot be read: " + reason + "; give --config FILE"))
                .toString();
    }

    @Test
    void what_is_no_configuration_at_all_is_said_to_be_none() {
        assertThat(problems(""))
                .containsExactly("config.yaml: is empty; expected kind KubeProxyConfiguration");
        assertThat(problems("- a"))
                .containsExactly(
                        "config.yaml:1: is no object; expected kind KubeProxyConfiguration");
        assertThat(problems("a: [")).first().asString().startsWith("config.yaml:1: is no YAML: ");
        assertThat(problems("apiVersion: v1\nkind: Pod\n")).hasSize(2);
    }

    @Test
    void a_misspelt_field_of_the_iptables_section_is_said_whatever_its_value() {
        assertThat(read("mode: iptables\niptables: {localhostNodePort: false}\n").warnings())
                .containsExactly(
                        "config.yaml:4: iptables.localhostNodePort is no field of"
                                + " KubeProxyConfiguration; ignored");
    }

    @Test
    void unknown_and_repeated_fields_are_warnings_with_their_path() {
        assertThat(
                        read("nftables: {masqueradBit: 1}\nfoo: {bar: 1}\nmode: ''\nmode: nftables\n")
                                .warnings())
                .containsExactly(
                        "config.yaml:6: mode is given twice; the last one counts",
                        "config.yaml:4: foo.bar is no field of KubeProxyConfiguration; ignored",
                        "config.yaml:3: nftables.masqueradBit is no field of"
                                + " KubeProxyConfiguration; ignored");
    }

    @Test
    void mode_iptables_has_defaults_and_a_section_of_its_own() {
        ProxyConfiguration read =
                read("""
                                mode: iptables
                                iptables: {masqueradeBit: 9, masqueradeAll: true, minSyncPeriod: 2s, syncPeriod: 1m}
                                nftables: {masqueradeBit: 3, minSyncPeriod: 5s, syncPeriod: 6s}
                                """)
                        .configuration();
        assertThat(read.mode()).isEqualTo("iptables");
        assertThat(read.minSyncPeriod()).isEqualTo(Duration.ofSeconds(2));
        assertThat(read.syncPeriod()).isEqualTo(Duration.ofMinutes(1));
        assertThat(read.settings())
                .isEqualTo(
                        new Settings(
                                new Settings.DetectLocal.ClusterRanges(List.of()),
                                9,
                                Settings.MasqueradeScope.ALL,
                                List.of(
                                        new Settings.NodePortRange.All(),
                                        new Settings.NodePortRange.Localhost()),
                                Settings.ClusterIpGuard.OFF,
                                Settings.ExternalIps.ALLOWED,
                                List.of(),
                                IpvsSettings.DEFAULTS));
    }

    private static final String IPVS_SECTION =
            """
            ipvs:
              excludeCIDRs: [10.103.97.0/24, "fd00:1::/64"]
              minSyncPeriod: 3s
              scheduler: wlc
              strictARP: true
              syncPeriod: 2m
              tcpFinTimeout: 1m30s
              tcpTimeout: 2h
              udpTimeout: 5m
            """;

    @Test
    void mode_ipvs_has_a_section_of_its_own_and_its_masquerade_bit_from_the_one_for_iptables() {
        ProxyConfiguration read =
                read("mode: ipvs\niptables: {masqueradeBit: 9}\n" + IPVS_SECTION).configuration();
        assertThat(read.settings().ipvs())
                .isEqualTo(
                        new IpvsSettings(
                                "wlc",
                                new TreeSet<>(
                                        List.of(
                                                Cidr.parse("10.103.97.0/24"),
                                                Cidr.parse("fd00:1::/64"))),
                                IpvsSettings.Arp.STRICT,
                                new IpvsSettings.Timeouts(7200, 90, 300)));
        assertThat(read.settings().masqueradeBit()).isEqualTo(9);
        assertThat(read.minSyncPeriod()).isEqualTo(Duration.ofSeconds(3));
        assertThat(read.syncPeriod()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void mode_ipvs_has_defaults() {
        hasDefaults(
                read(
                        """
                                mode: ipvs
                                ipvs: {excludeCIDRs: null, scheduler: "", strictARP: false, tcpTimeout: 0s, tcpFinTimeout: 0s, udpTimeout: 0s}
                                """),
                "ipvs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"iptables", "nftables"})
    void other_modes_only_check_the_section_of_mode_ipvs(String mode) {
        hasDefaults(read("mode: " + mode + "\n" + IPVS_SECTION), mode);
        assertThat(problems(HEAD + "mode: " + mode + "\nipvs: {strictARP: yes}\n"))
                .containsExactly(
                        "config.yaml:4: ipvs.strictARP: \"yes\" is neither true nor false");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ipvs     | nodePortAddresses: [localhost]                  | nodePortAddresses has loopback
                    ipvs     | nodePortAddresses: [192.0.2.0/24, 127.0.0.0/8]  | nodePortAddresses has loopback
                    ipvs     | nodePortAddresses: [127.0.0.1/32, '::1/128']    | nodePortAddresses has loopback
                    ipvs     | nodePortAddresses: ['::1/128']                  | nodePortAddresses has loopback
                    ipvs     | 'iptables: {localhostNodePorts: true}'          | iptables.localhostNodePorts is true
                    ipvs     | 'iptables: {localhostNodePorts: false}'         |
                    ipvs     | 'iptables: {localhostNodePorts: null}'          |
                    ipvs     | nodePortAddresses: [all]                        |
                    ipvs     | nodePortAddresses: [0.0.0.0/0]                  |
                    ipvs     | nodePortAddresses: [primary]                    |
                    iptables | nodePortAddresses: [localhost]                  |
                    iptables | 'iptables: {localhostNodePorts: true}'          |
                    """)
    void a_wish_for_loopback_in_mode_ipvs_is_answered_with_a_warning(
            String mode, String line, @Nullable String warning) {
        List<String> warnings = read("mode: " + mode + "\n" + line + "\n").warnings();
        if (warning == null) {
            assertThat(warnings).isEmpty();
        } else {
            assertThat(warnings)
                    .containsExactly(
                            "config.yaml: "
                                    + warning
                                    + "; in mode ipvs node ports do not answer on loopback"
                                    + " addresses: dial another address of the node");
        }
    }

    @Test
    void the_mode_asked_for_goes_before_the_mode_of_the_file() {
        ConfigReading reading =
                ConfigReader.read(
                        "config.yaml",
                        HEAD + "mode: nftables\niptables: {masqueradeBit: 9}\n",
                        List.of(),
                        new ModeChoice("iptables", "nftables"));
        assertThat(reading).isInstanceOf(ConfigReading.Read.class);
        ProxyConfiguration read = ((ConfigReading.Read) reading).configuration();
        assertThat(read.mode()).isEqualTo("iptables");
        assertThat(read.settings().masqueradeBit()).isEqualTo(9);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    []               | true  | true
                    []               | false | false
                    [all]            | true  | true
                    [127.0.0.0/8]    | true  | true
                    [127.0.0.1/32]   | true  | true
                    [0.0.0.0/0]      | true  | true
                    [0.0.0.0/0]      | false | false
                    [localhost]      | true  | true
                    [localhost]      | false | false
                    [192.0.2.0/24]   | true  | false
                    ['::/0']         | true  | true
                    [primary]        | true  | false
                    """)
    void loopback_answers_in_mode_iptables_if_the_ranges_hold_it_and_it_is_wanted(
            String ranges, boolean wanted, boolean answers) {
        List<Settings.NodePortRange> words =
                read("mode: iptables\niptables: {localhostNodePorts: "
                                + wanted
                                + "}\nnodePortAddresses: "
                                + ranges
                                + "\n")
                        .configuration()
                        .settings()
                        .nodePortAddresses();
        assertThat(words.contains(new Settings.NodePortRange.Localhost())).isEqualTo(answers);
    }

    @Test
    void a_range_of_loopback_in_mode_iptables_leaves_the_other_family_as_it_is() {
        assertThat(
                        read("mode: iptables\nnodePortAddresses: [127.0.0.0/8]\n")
                                .configuration()
                                .settings()
                                .nodePortAddresses())
                .contains(new Settings.NodePortRange.Range(Cidr.parse("::/0")));
    }

    @Test
    void localhost_alone_in_mode_iptables_leaves_no_other_address() {
        assertThat(
                        read("""
                                mode: iptables
                                iptables: {localhostNodePorts: false}
                                nodePortAddresses: [localhost]
                                """)
                                .configuration()
                                .settings()
                                .nodePortAddresses())
                .containsExactly(
                        new Settings.NodePortRange.Range(Cidr.parse("127.0.0.0/8")),
                        new Settings.NodePortRange.Range(Cidr.parse("::1/128")));
    }

    @Test
    void json_is_read_too() {
        assertThat(
                        ConfigReader.read(
                                "c.json",
                                "{\"apiVersion\":\"kubeproxy.config.k8s.io/v1alpha1\","
                                        + "\"kind\":\"KubeProxyConfiguration\",\"mode\":\"nftables\"}",
                                List.of(),
                                ModeChoice.OPEN))
                .isInstanceOf(ConfigReading.Read.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metricsBindAddress: 127.0.0.1:10249 | true",
                "metricsBindAddress: '[::1]:10249' | true",
                "metricsBindAddress: 0.0.0.0:10249 | false",
                "{metricsBindAddress: 0.0.0.0:10249, enableProfiling: true} | true",
            })
    void debug_pages_are_for_loopback_unless_the_file_says_otherwise(String text, boolean shown) {
        String lines = text.replaceAll("[{}]", "").replace(", ", "\n");
        assertThat(read(lines).configuration().servers().showsDebugPages()).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"'', 60", "'nftables: {syncPeriod: 2m}', 240"})
    void what_waits_for_two_sync_periods_is_late(String text, long seconds) {
        assertThat(read(text).configuration().late()).hasSeconds(seconds);
    }

    @Test
    void the_limits_of_conntrack_are_read() {
        assertThat(
                        read("""
                             conntrack:
                               maxPerCore: 0
                               min: 7
                               tcpBeLiberal: true
                               tcpCloseWaitTimeout: 0s
                               tcpEstablishedTimeout: 12h
                               udpStreamTimeout: 3m
                               udpTimeout: 1m30s
                             """)
                                .configuration()
                                .conntrack())
                .isEqualTo(
                        new Conntrack(
                                0,
                                7,
                                Duration.ofHours(12),
                                Duration.ZERO,
                                Conntrack.OutOfWindow.ACCEPTED,
                                Duration.ofSeconds(90),
                                Duration.ofMinutes(3)));
    }
}
