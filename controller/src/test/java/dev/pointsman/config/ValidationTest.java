package dev.pointsman.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What kube-proxy refuses (behaviour document 7.4), and the nearest that it takes.
final class ValidationTest {
    private static ConfigReading read(String line) {
        return ConfigReader.read(
                "c",
                "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n"
                        + line,
                List.of(),
                ModeChoice.OPEN);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    iptables: {masqueradeBit: -1}                      | c:3: iptables.masqueradeBit: "-1" is not within 0..31
                    nftables: {masqueradeBit: 32}                      | c:3: nftables.masqueradeBit: "32" is not within 0..31
                    oomScoreAdj: -1001                                 | c:3: oomScoreAdj: "-1001" is not within -1000..1000
                    oomScoreAdj: 1001                                  | c:3: oomScoreAdj: "1001" is not within -1000..1000
                    configSyncPeriod: -1s                              | c:3: configSyncPeriod: "-1s" is negative
                    iptables: {syncPeriod: -1s}                        | c:3: iptables.syncPeriod: "-1s" is negative
                    iptables: {minSyncPeriod: 40s, syncPeriod: 30s}    | c: iptables.minSyncPeriod is longer than iptables.syncPeriod; make it the shorter one
                    nftables: {minSyncPeriod: 40s}                     | c: nftables.minSyncPeriod is longer than nftables.syncPeriod, which is 30s unless it is set; make it the shorter one
                    ipvs: {minSyncPeriod: -1s}                         | c:3: ipvs.minSyncPeriod: "-1s" is negative
                    bindAddress: localhost                             | c:3: bindAddress: "localhost" is no IP address
                    healthzBindAddress: localhost:10256                | c:3: healthzBindAddress: "localhost:10256" is no IP address with a port from 1 to 65535
                    healthzBindAddress: 0.0.0.0:0                      | c:3: healthzBindAddress: "0.0.0.0:0" is no IP address with a port from 1 to 65535
                    metricsBindAddress: '[::1]:65536'                  | c:3: metricsBindAddress: "[::1]:65536" is no IP address with a port from 1 to 65535
                    metricsBindAddress: 127.0.0.1:web                  | c:3: metricsBindAddress: "127.0.0.1:web" is no IP address with a port from 1 to 65535
                    portRange: 2000-1000                               | c:3: portRange: "2000-1000" is no range of ports such as 30000-32767
                    portRange: all                                     | c:3: portRange: "all" is no range of ports such as 30000-32767
                    clientConnection: {burst: -1}                      | c:3: clientConnection.burst: "-1" is less than 0
                    clientConnection: {qps: fast}                      | c:3: clientConnection.qps: "fast" is no number
                    conntrack: {maxPerCore: -1}                        | c:3: conntrack.maxPerCore: "-1" is less than 0
                    conntrack: {min: -1}                               | c:3: conntrack.min: "-1" is less than 0
                    conntrack: {tcpEstablishedTimeout: -1s}            | c:3: conntrack.tcpEstablishedTimeout: "-1s" is negative
                    conntrack: {tcpCloseWaitTimeout: 1}                | c:3: conntrack.tcpCloseWaitTimeout: "1" is no duration (such as 30s, 1m30s or 500ms)
                    conntrack: {udpTimeout: -1s}                       | c:3: conntrack.udpTimeout: "-1s" is negative
                    conntrack: {udpStreamTimeout: -1s}                 | c:3: conntrack.udpStreamTimeout: "-1s" is negative
                    conntrack: {tcpBeLiberal: maybe}                   | c:3: conntrack.tcpBeLiberal: "maybe" is neither true nor false
                    ipvs: {udpTimeout: -1s}                            | c:3: ipvs.udpTimeout: "-1s" is negative
                    logging: {format: xml}                             | c:3: logging.format: "xml" is none of text, json
                    logging: {verbosity: -1}                           | c:3: logging.verbosity: "-1" is less than 0
                    logging: {flushFrequency: soon}                    | c:3: logging.flushFrequency: "soon" is no duration (such as 30s, 1m30s or 500ms)
                    logging: {options: 5}                              | c:3: logging.options is "5" and should be an object
                    featureGates: {AllowServiceExternalIPs: 1}         | c:3: featureGates.AllowServiceExternalIPs: "1" is neither true nor false
                    featureGates: {Mine: 1}                            | c:3: featureGates.Mine: "1" is neither true nor false
                    showHiddenMetricsForVersion: latest                | c:3: showHiddenMetricsForVersion: "latest" is no version such as 1.36
                    hostnameOverride: ' '                              | c:3: hostnameOverride: " " is blank
                    """)
    void what_kube_proxy_refuses_is_refused(String line, String problem) {
        ConfigReading reading = read(line);
        assertThat(reading).isInstanceOf(ConfigReading.Invalid.class);
        List<String> problems = ((ConfigReading.Invalid) reading).problems();
        assertThat(problems).containsExactly(problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "iptables: {masqueradeBit: 0}",
                "nftables: {masqueradeBit: 31}",
                "oomScoreAdj: -1000",
                "oomScoreAdj: 1000",
                "iptables: {minSyncPeriod: 30s, syncPeriod: 30s}",
                "nftables: {minSyncPeriod: 30s}",
                "bindAddress: '::'",
                "healthzBindAddress: '[::]:10256'",
                "healthzBindAddress: 0.0.0.0",
                "metricsBindAddress: '::1'",
                "metricsBindAddress: 127.0.0.1:65535",
                "portRange: 1000-1000",
                "portRange: 1000+5",
                "portRange: 0",
                "conntrack: {maxPerCore: 0, tcpEstablishedTimeout: 0s}",
                "clientConnection: {qps: 7.5, burst: 1}",
                "logging: {flushFrequency: 5000000000, format: json, verbosity: 4}",
                "logging: {vmodule: [{filePattern: a, verbosity: 1}]}",
                "showHiddenMetricsForVersion: '1.36'",
                "nodePortAddresses: [primary, 10.0.0.0/8]",
            })
    void what_kube_proxy_takes_is_taken(String line) {
        assertThat(read(line)).isInstanceOf(ConfigReading.Read.class);
    }
}
