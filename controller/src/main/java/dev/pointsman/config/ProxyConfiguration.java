package dev.pointsman.config;

import dev.pointsman.graph.Settings;
import java.time.Duration;
import java.util.Optional;

/// What a KubeProxyConfiguration decides here.
///
/// @param mode `iptables`, `ipvs` or `nftables`
/// @param settings what it decides about rules
/// @param minSyncPeriod from one commit to the next
/// @param syncPeriod from one complete comparison with the kernel to the next; zero leaves the
///   choice to the program
/// @param hostnameOverride name of this machine's Node; empty when the file does not say
/// @param kubeconfig empty when the file does not say
/// @param serving its own servers
public record ProxyConfiguration(
        String mode,
        Settings settings,
        Duration minSyncPeriod,
        Duration syncPeriod,
        String hostnameOverride,
        String kubeconfig,
        Serving serving) {

    /// The mode where nobody names one.
    public static final String DEFAULT_MODE = "nftables";

    /// What kube-proxy does in `mode` without a file.
    public static ProxyConfiguration defaults(String mode) {
        return new ProxyConfiguration(
                mode,
                defaultSettings(mode),
                Duration.ZERO,
                Duration.ZERO,
                "",
                "",
                Serving.DEFAULTS);
    }

    static Settings defaultSettings(String mode) {
        return switch (mode) {
            case "iptables" -> Settings.iptablesDefaults();
            case "ipvs" -> Settings.ipvsDefaults();
            default -> Settings.nftablesDefaults();
        };
    }

    /// The same with other rules.
    public ProxyConfiguration withSettings(Settings other) {
        return new ProxyConfiguration(
                mode, other, minSyncPeriod, syncPeriod, hostnameOverride, kubeconfig, serving);
    }

    /// The same with other servers.
    public ProxyConfiguration withServing(Serving other) {
        return new ProxyConfiguration(
                mode, settings, minSyncPeriod, syncPeriod, hostnameOverride, kubeconfig, other);
    }

    /// The audit period that the file asks for.
    public Optional<Duration> auditPeriod() {
        return syncPeriod.isZero() ? Optional.empty() : Optional.of(syncPeriod);
    }
}
