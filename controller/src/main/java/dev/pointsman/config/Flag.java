package dev.pointsman.config;

import java.util.List;
import java.util.stream.Stream;

/// One of kube-proxy's flags that stand for fields of its configuration.
///
/// @param name without dashes
/// @param fields what it sets; none where no field is for it, and nothing comes of it
public record Flag(String name, Kind kind, BesideFile besideFile, List<String> fields) {
    /// What it takes.
    public enum Kind {
        VALUE,
        /// True when it takes nothing.
        SWITCH,
        /// Values with commas between them.
        LIST,
        /// `name=true` with commas between them.
        GATES
    }

    /// What it is worth where a file is given.
    public enum BesideFile {
        COUNTS,
        IGNORED
    }

    /// A flag of a command line.
    public record Given(Flag flag, String value) {}

    public Flag {
        fields = List.copyOf(fields);
    }

    /// Every flag of version 1.37 and its deprecated ones (behaviour document 7.1 and 7.2).
    public static final List<Flag> ALL =
            Stream.of(servers(), conntrack(), rules(), ipvs(), others(), logging())
                    .flatMap(flags -> flags)
                    .toList();

    private static Stream<Flag> servers() {
        return Stream.of(
                value("bind-address", "bindAddress"),
                turn("bind-address-hard-fail", "bindAddressHardFail"),
                value("healthz-bind-address", "healthzBindAddress"),
                value("healthz-port", "healthzBindAddress"),
                value("metrics-bind-address", "metricsBindAddress"),
                value("metrics-port", "metricsBindAddress"),
                turn("profiling", "enableProfiling"),
                value("show-hidden-metrics-for-version", "showHiddenMetricsForVersion"));
    }

    private static Stream<Flag> conntrack() {
        return Stream.of(
                value("conntrack-max-per-core", "conntrack.maxPerCore"),
                value("conntrack-min", "conntrack.min"),
                turn("conntrack-tcp-be-liberal", "conntrack.tcpBeLiberal"),
                value("conntrack-tcp-timeout-close-wait", "conntrack.tcpCloseWaitTimeout"),
                value("conntrack-tcp-timeout-established", "conntrack.tcpEstablishedTimeout"),
                value("conntrack-udp-timeout", "conntrack.udpTimeout"),
                value("conntrack-udp-timeout-stream", "conntrack.udpStreamTimeout"));
    }

    private static Stream<Flag> rules() {
        return Stream.of(
                value("proxy-mode", "mode"),
                value("cluster-cidr", "clusterCIDR"),
                value("detect-local-mode", "detectLocalMode"),
                value("pod-bridge-interface", "detectLocal.bridgeInterface"),
                value("pod-interface-name-prefix", "detectLocal.interfaceNamePrefix"),
                of("nodeport-addresses", Kind.LIST, "nodePortAddresses"),
                turn("masquerade-all", "iptables.masqueradeAll", "nftables.masqueradeAll"),
                value("iptables-masquerade-bit", "iptables.masqueradeBit"),
                turn("iptables-localhost-nodeports", "iptables.localhostNodePorts"),
                value(
                        "iptables-min-sync-period",
                        "iptables.minSyncPeriod",
                        "nftables.minSyncPeriod"),
                value("iptables-sync-period", "iptables.syncPeriod", "nftables.syncPeriod"));
    }

    private static Stream<Flag> ipvs() {
        return Stream.of(
                of("ipvs-exclude-cidrs", Kind.LIST, "ipvs.excludeCIDRs"),
                value("ipvs-min-sync-period", "ipvs.minSyncPeriod"),
                value("ipvs-scheduler", "ipvs.scheduler"),
                turn("ipvs-strict-arp", "ipvs.strictARP"),
                value("ipvs-sync-period", "ipvs.syncPeriod"),
                value("ipvs-tcp-timeout", "ipvs.tcpTimeout"),
                value("ipvs-tcpfin-timeout", "ipvs.tcpFinTimeout"),
                value("ipvs-udp-timeout", "ipvs.udpTimeout"));
    }

    private static Stream<Flag> others() {
        return Stream.of(
                value("config-sync-period", "configSyncPeriod"),
                of("feature-gates", Kind.GATES, "featureGates"),
                value("kube-api-burst", "clientConnection.burst"),
                value("kube-api-content-type", "clientConnection.contentType"),
                value("kube-api-qps", "clientConnection.qps"),
                value("kubeconfig", "clientConnection.kubeconfig"),
                value("oom-score-adj", "oomScoreAdj"),
                value("proxy-port-range", "portRange"));
    }

    private static Stream<Flag> logging() {
        return Stream.of(
                        value("hostname-override", "hostnameOverride"),
                        value("v", "logging.verbosity"),
                        value("vmodule", "logging.vmodule"),
                        value("logging-format", "logging.format"),
                        value("log-flush-frequency", "logging.flushFrequency"),
                        turn("log-json-split-stream", "logging.options.json.splitStream"),
                        value("log-json-info-buffer-size", "logging.options.json.infoBufferSize"),
                        turn("log-text-split-stream", "logging.options.text.splitStream"),
                        value("log-text-info-buffer-size", "logging.options.text.infoBufferSize"),
                        // klog's own, which no version of the file has.
                        turn("add-dir-header"),
                        turn("alsologtostderr"),
                        value("log-backtrace-at"),
                        value("log-dir"),
                        value("log-file"),
                        value("log-file-max-size"),
                        turn("logtostderr"),
                        turn("one-output"),
                        turn("skip-headers"),
                        turn("skip-log-headers"),
                        value("stderrthreshold"))
                .map(flag -> new Flag(flag.name, flag.kind, BesideFile.COUNTS, flag.fields));
    }

    private static Flag value(String name, String... fields) {
        return of(name, Kind.VALUE, fields);
    }

    private static Flag turn(String name, String... fields) {
        return of(name, Kind.SWITCH, fields);
    }

    private static Flag of(String name, Kind kind, String... fields) {
        return new Flag(name, kind, BesideFile.IGNORED, List.of(fields));
    }

    /// The one of this name.
    public static Flag named(String name) {
        return ALL.stream()
                .filter(flag -> flag.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no flag --" + name));
    }
}
