package dev.pointsman.config;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.Settings;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;

/// Reads what decides rules.
final class RuleSettings {
    private record Masquerade(int bit, Settings.MasqueradeScope scope) {}

    private static final FieldType<Integer> BIT = FieldType.count(0, 31);

    private static final FieldType<String> SCHEDULER = FieldType.text(IpvsSettings::schedulerName);

    /// In seconds, as IPVS counts.
    private static final FieldType<Integer> TIMEOUT =
            FieldType.printed(
                    RuleSettings::seconds,
                    seconds -> GoDuration.print(Duration.ofSeconds(seconds)));

    private final Fields fields;
    private final String mode;

    private RuleSettings(Fields fields, String mode) {
        this.fields = fields;
        this.mode = mode;
    }

    static Settings read(Fields fields, String mode) {
        return new RuleSettings(fields, mode).settings();
    }

    private Settings settings() {
        Settings defaults = ProxyConfiguration.defaultSettings(mode);
        Masquerade masquerade = masquerade(defaults);
        return new Settings(
                LocalDetection.read(fields),
                masquerade.bit(),
                masquerade.scope(),
                NodePorts.read(fields, mode, defaults.nodePortAddresses()),
                defaults.clusterIpGuard(),
                FeatureGates.read(fields),
                List.of(),
                ipvs());
    }

    /// The two sections are both checked; IPVS mode has its bit from the one for iptables
    /// (behaviour document 7.1).
    private Masquerade masquerade(Settings defaults) {
        Masquerade nftables = masqueradeIn("nftables", defaults);
        Masquerade iptables = masqueradeIn("iptables", defaults);
        return mode.equals("nftables") ? nftables : iptables;
    }

    private Masquerade masqueradeIn(String section, Settings defaults) {
        int bit = fields.value(section + ".masqueradeBit", defaults.masqueradeBit(), BIT);
        return new Masquerade(
                bit,
                fields.value(section + ".masqueradeAll", false, FieldType.SWITCH)
                        ? Settings.MasqueradeScope.ALL
                        : Settings.MasqueradeScope.NOT_FROM_PODS);
    }

    /// Other modes only check it.
    private IpvsSettings ipvs() {
        IpvsSettings read =
                new IpvsSettings(
                        fields.value(
                                "ipvs.scheduler", IpvsSettings.DEFAULTS.scheduler(), SCHEDULER),
                        new TreeSet<>(fields.list("ipvs.excludeCIDRs", Cidr::parse, "a range")),
                        fields.value("ipvs.strictARP", false, FieldType.SWITCH)
                                ? IpvsSettings.Arp.STRICT
                                : IpvsSettings.Arp.AS_FOUND,
                        new IpvsSettings.Timeouts(
                                fields.value("ipvs.tcpTimeout", 0, TIMEOUT),
                                fields.value("ipvs.tcpFinTimeout", 0, TIMEOUT),
                                fields.value("ipvs.udpTimeout", 0, TIMEOUT)));
        return mode.equals("ipvs") ? read : IpvsSettings.DEFAULTS;
    }

    private static int seconds(String text) {
        long seconds = FieldType.PERIOD.parse().apply(text).toSeconds();
        if (seconds > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("\"" + text + "\" is longer than IPVS can count");
        }
        return (int) seconds;
    }
}
