package dev.pointsman.config;

import dev.pointsman.graph.Settings;
import java.time.Duration;

/// What a KubeProxyConfiguration decides here.
///
/// @param mode `iptables`, `ipvs` or `nftables`
/// @param settings what it decides about rules
/// @param minSyncPeriod from one commit to the next
/// @param syncPeriod from one complete comparison with the kernel to the next
/// @param hostnameOverride name of this machine's Node; empty when nobody says
/// @param oomScoreAdj -1000..1000, how gladly the kernel ends this process when memory is short
public record ProxyConfiguration(
        String mode,
        Settings settings,
        Duration minSyncPeriod,
        Duration syncPeriod,
        String hostnameOverride,
        ClientConnection clientConnection,
        Servers servers,
        Conntrack conntrack,
        Logging logging,
        int oomScoreAdj) {

    /// The mode where nobody names one.
    public static final String DEFAULT_MODE = "nftables";

    static final int DEFAULT_OOM_SCORE_ADJ = -999;

    /// What there is in `mode` when nobody says anything else.
    public static ProxyConfiguration defaults(String mode) {
        return new ProxyConfiguration(
                mode,
                defaultSettings(mode),
                SyncPeriods.DEFAULTS.min(),
                SyncPeriods.DEFAULTS.sync(),
                "",
                ClientConnection.DEFAULTS,
                Servers.DEFAULTS,
                Conntrack.DEFAULTS,
                Logging.DEFAULTS,
                DEFAULT_OOM_SCORE_ADJ);
    }

    static Settings defaultSettings(String mode) {
        return switch (mode) {
            case "iptables" -> Settings.iptablesDefaults();
            case "ipvs" -> Settings.ipvsDefaults();
            default -> Settings.nftablesDefaults();
        };
    }

    /// After how long something that waits for the kernel makes the process unhealthy: two of
    /// kube-proxy's sync periods, of which the configuration has its own or the default.
    public Duration late() {
        return (syncPeriod.equals(SyncPeriods.DEFAULTS.sync()) ? SyncPeriods.UNSAID : syncPeriod)
                .multipliedBy(2);
    }

    /// The same with the rules, the pace and the log of `other`: what a process that runs can take
    /// over.
    public ProxyConfiguration withRulesOf(ProxyConfiguration other) {
        return new ProxyConfiguration(
                mode,
                other.settings,
                other.minSyncPeriod,
                other.syncPeriod,
                hostnameOverride,
                clientConnection,
                servers,
                conntrack,
                other.logging,
                oomScoreAdj);
    }
}
