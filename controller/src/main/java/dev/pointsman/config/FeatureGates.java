package dev.pointsman.config;

import dev.pointsman.graph.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The switches of kube-proxy's features, of which one decides something here.
final class FeatureGates {
    private static final String EXTERNAL_IPS = "AllowServiceExternalIPs";

    // Names and defaults of version 1.37 (behaviour document 7.6).
    private static final Map<String, Boolean> KNOWN =
            Map.ofEntries(
                    Map.entry("AllAlpha", false),
                    Map.entry("AllBeta", false),
                    Map.entry("ComponentFlagz", true),
                    Map.entry("ComponentStatusz", true),
                    Map.entry("ContextualLogging", true),
                    Map.entry("KubeProxyDrainingTerminatingNodes", true),
                    Map.entry("KubeProxyIPVS", true),
                    Map.entry("KubeProxyNFTablesLocalhostNodePorts", false),
                    Map.entry("LoadBalancerIPMode", true),
                    Map.entry("LoggingAlphaOptions", false),
                    Map.entry("LoggingBetaOptions", true),
                    Map.entry("MultiCIDRServiceAllocator", true),
                    Map.entry("NFTablesProxyMode", true),
                    Map.entry("PreferSameTrafficDistribution", true),
                    Map.entry("ServiceTrafficDistribution", true),
                    Map.entry("TopologyAwareHints", true));

    private FeatureGates() {}

    /// What the gates say of external IPs. One that changes nothing here is worth a warning when it
    /// is set to anything but its default, and so is one that nobody knows.
    static Settings.ExternalIps read(Fields fields) {
        boolean external = fields.value("featureGates." + EXTERNAL_IPS, true, FieldType.SWITCH);
        Map<String, Boolean> changed = new TreeMap<>();
        List<String> unknown = new ArrayList<>();
        for (String gate : fields.members("featureGates")) {
            boolean known = KNOWN.containsKey(gate);
            boolean otherwise = KNOWN.getOrDefault(gate, false);
            boolean set = fields.value("featureGates." + gate, otherwise, FieldType.SWITCH);
            if (!known) {
                unknown.add(gate);
            } else if (set != otherwise) {
                changed.put(gate, set);
            }
        }
        changed.forEach(
                (gate, set) ->
                        fields.warning("featureGates." + gate + " is " + set + " to no effect"));
        if (!unknown.isEmpty()) {
            fields.warning(
                    "featureGates has gates that kube-proxy 1.37 has not: "
                            + String.join(", ", unknown)
                            + "; ignored");
        }
        return external ? Settings.ExternalIps.ALLOWED : Settings.ExternalIps.IGNORED;
    }
}
