package dev.pointsman.peers;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.Settings;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.read.IptablesSaveReader;
import dev.pointsman.packet.read.NftReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// A mode of kube-proxy: its defaults, and how its rules are printed and read.
enum ProxyMode {
    NFTABLES,
    IPTABLES,
    IPVS;

    private static final IpAddress LOOPBACK = IpAddress.parse("127.0.0.1");
    private static final String SYNC_BEGINS = "Syncing ipvs proxier rules";
    private static final String SYNC_ENDS = "syncProxyRules complete";

    private Settings defaults() {
        return switch (this) {
            case NFTABLES -> Settings.nftablesDefaults();
            case IPTABLES -> Settings.iptablesDefaults();
            case IPVS -> Settings.ipvsDefaults();
        };
    }

    /// As in `mode` of the configuration.
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// What this mode makes of a scenario's settings: where they say nothing, or where kube-proxy
    /// has no choice, its own defaults.
    Settings settings(Settings given, List<Cidr> serviceRanges) {
        return new Settings(
                given.detectLocal(),
                given.masqueradeBit(),
                given.masquerade(),
                nodePorts(given.nodePortAddresses()),
                defaults().clusterIpGuard(),
                given.externalIps(),
                serviceRanges,
                IpvsSettings.DEFAULTS);
    }

    private List<Settings.NodePortRange> nodePorts(List<Settings.NodePortRange> given) {
        if (given.equals(Settings.nftablesDefaults().nodePortAddresses())) {
            return defaults().nodePortAddresses();
        }
        List<Settings.NodePortRange> words = new ArrayList<>(given);
        if (this == IPTABLES && given.stream().anyMatch(ProxyMode::hasLoopback)) {
            // localhostNodePorts, which is on.
            words.add(new Settings.NodePortRange.Localhost());
        }
        return words;
    }

    private static boolean hasLoopback(Settings.NodePortRange word) {
        return switch (word) {
            case Settings.NodePortRange.All _ -> true;
            case Settings.NodePortRange.Range(Cidr range) -> range.contains(LOOPBACK);
            case Settings.NodePortRange.Primary _, Settings.NodePortRange.Localhost _ -> false;
        };
    }

    /// The rules of `family` in the network namespace of the calling thread, as people take them.
    String dump(Family family) throws Exception {
        return Output.of(
                switch (this) {
                    case NFTABLES ->
                            new String[] {
                                "nft", "list", "ruleset", family == Family.IPV4 ? "ip" : "ip6"
                            };
                    case IPTABLES ->
                            new String[] {
                                family == Family.IPV4 ? "iptables-save" : "ip6tables-save"
                            };
                    case IPVS -> new String[] {"ipvsadm-save", "-n"};
                });
    }

    /// Whether all is written of the sync that wrote what was seen before `log` was read.
    boolean isSettled(Family family, String log) {
        return switch (this) {
            // One transaction holds everything.
            case NFTABLES, IPTABLES -> true;
            // Virtual servers come first, one by one; then sets, rules, and what goes.
            case IPVS -> {
                List<String> lines =
                        log.lines()
                                .filter(
                                        line ->
                                                line.contains("\"" + family.title() + "\"")
                                                        && (line.contains(SYNC_BEGINS)
                                                                || line.contains(SYNC_ENDS)))
                                .toList();
                yield !lines.isEmpty() && lines.getLast().contains(SYNC_ENDS);
            }
        };
    }

    /// Whether the rules of `families` hold what was read of the ServiceCIDRs, where they should.
    boolean hasServiceRanges(Set<Family> families) throws Exception {
        for (Family family : families) {
            if (this == NFTABLES && !dump(family).contains("Drop traffic to unallocated")) {
                return false;
            }
        }
        return true;
    }

    Ruleset read(String dump, Family family) {
        return switch (this) {
            case NFTABLES -> NftReader.read(dump);
            case IPTABLES -> IptablesSaveReader.read(dump, family);
            case IPVS -> throw new IllegalStateException("rules of IPVS are not read");
        };
    }

    /// The text of a KubeProxyConfiguration that asks for `settings`, but for the service ranges,
    /// which come from the cluster.
    String configuration(Settings settings, String node, String kubeconfig) {
        String masquerade =
                "masqueradeBit: %d, masqueradeAll: %s"
                        .formatted(
                                settings.masqueradeBit(),
                                settings.masquerade() == Settings.MasqueradeScope.ALL);
        String own =
                switch (this) {
                    case NFTABLES, IPTABLES ->
                            "%s: {minSyncPeriod: 10ms, %s}".formatted(title(), masquerade);
                    case IPVS ->
                            "ipvs: {minSyncPeriod: 10ms}\niptables: {%s}".formatted(masquerade);
                };
        return """
               apiVersion: kubeproxy.config.k8s.io/v1alpha1
               kind: KubeProxyConfiguration
               clientConnection: {kubeconfig: "%s"}
               hostnameOverride: "%s"
               mode: %s
               %s
               %s
               nodePortAddresses: [%s]
               featureGates: {AllowServiceExternalIPs: %s}
               healthzBindAddress: 127.0.0.1:10256
               metricsBindAddress: 127.0.0.1:10249
               # Of the whole machine, or of nobody's concern here.
               conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
               """
                .formatted(
                        kubeconfig,
                        node,
                        title(),
                        own,
                        detection(settings.detectLocal()),
                        nodePorts(settings),
                        settings.externalIps() == Settings.ExternalIps.ALLOWED);
    }

    private static String detection(Settings.DetectLocal detection) {
        return switch (detection) {
            case Settings.DetectLocal.ClusterRanges(var ranges) ->
                    "clusterCIDR: \""
                            + ranges.stream().map(Cidr::toString).collect(Collectors.joining(","))
                            + "\"";
            case Settings.DetectLocal.NodeRanges _ -> "detectLocalMode: NodeCIDR";
            case Settings.DetectLocal.BridgeInterface(var name) ->
                    "detectLocalMode: BridgeInterface\ndetectLocal: {bridgeInterface: %s}"
                            .formatted(name);
            case Settings.DetectLocal.InterfacePrefix(var prefix) ->
                    "detectLocalMode: InterfaceNamePrefix\ndetectLocal: {interfaceNamePrefix: %s}"
                            .formatted(prefix);
        };
    }

    /// Nothing for the mode's own default, which has words that kube-proxy does not know.
    private String nodePorts(Settings settings) {
        return settings.nodePortAddresses().equals(defaults().nodePortAddresses())
                ? ""
                : settings.nodePortAddresses().stream()
                        .map(
                                range ->
                                        switch (range) {
                                            case Settings.NodePortRange.Primary _ -> "primary";
                                            case Settings.NodePortRange.Localhost _ -> "localhost";
                                            case Settings.NodePortRange.All _ -> "all";
                                            case Settings.NodePortRange.Range(var cidr) ->
                                                    "\"" + cidr + "\"";
                                        })
                        .collect(Collectors.joining(", "));
    }
}
