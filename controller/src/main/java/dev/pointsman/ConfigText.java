package dev.pointsman;

import dev.pointsman.config.BindAddress;
import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.config.Serving;
import dev.pointsman.graph.Settings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The configuration in force, as `/configz` shows it: the fields of KubeProxyConfiguration that
/// decide anything here.
final class ConfigText {
    private ConfigText() {}

    static String json(ProxyConfiguration configuration) {
        StringWriter text = new StringWriter();
        new Json.Fields(Map.of("kubeproxy.config.k8s.io", fields(configuration)))
                .print(new PrintWriter(text));
        return text.toString();
    }

    private static Json fields(ProxyConfiguration configuration) {
        Settings settings = configuration.settings();
        Map<String, Json> fields = new LinkedHashMap<>();
        fields.put("mode", new Json.Text(configuration.mode()));
        fields.put("hostnameOverride", new Json.Text(configuration.hostnameOverride()));
        fields.put(
                "clientConnection",
                new Json.Fields(Map.of("kubeconfig", new Json.Text(configuration.kubeconfig()))));
        putServing(configuration.serving(), fields);
        putDetector(settings.detectLocal(), fields);
        fields.put("nodePortAddresses", words(settings.nodePortAddresses()));
        fields.put(
                "featureGates",
                new Json.Fields(
                        Map.of(
                                "AllowServiceExternalIPs",
                                new Json.Truth(
                                        settings.externalIps() == Settings.ExternalIps.ALLOWED))));
        fields.put(configuration.mode(), section(configuration));
        return new Json.Fields(fields);
    }

    private static void putServing(Serving serving, Map<String, Json> fields) {
        fields.put("healthzBindAddress", address(serving.healthz()));
        fields.put("metricsBindAddress", address(serving.metrics()));
        fields.put(
                "bindAddressHardFail",
                new Json.Truth(serving.whenTaken() == Serving.WhenTaken.EXIT));
        fields.put(
                "enableProfiling",
                new Json.Truth(serving.debugPages() == Serving.DebugPages.WITH_METRICS));
    }

    private static Json address(BindAddress address) {
        return new Json.Text(
                switch (address) {
                    case BindAddress.Nowhere _ -> "";
                    case BindAddress.At at -> at.toString();
                });
    }

    private static void putDetector(Settings.DetectLocal detector, Map<String, Json> fields) {
        switch (detector) {
            case Settings.DetectLocal.ClusterRanges(var ranges) -> {
                fields.put("detectLocalMode", new Json.Text("ClusterCIDR"));
                fields.put(
                        "clusterCIDR",
                        new Json.Text(
                                String.join(",", ranges.stream().map(Object::toString).toList())));
            }
            case Settings.DetectLocal.NodeRanges _ ->
                    fields.put("detectLocalMode", new Json.Text("NodeCIDR"));
            case Settings.DetectLocal.BridgeInterface(var name) -> {
                fields.put("detectLocalMode", new Json.Text("BridgeInterface"));
                fields.put("detectLocal", one("bridgeInterface", name));
            }
            case Settings.DetectLocal.InterfacePrefix(var prefix) -> {
                fields.put("detectLocalMode", new Json.Text("InterfaceNamePrefix"));
                fields.put("detectLocal", one("interfaceNamePrefix", prefix));
            }
        }
    }

    private static Json one(String name, String value) {
        return new Json.Fields(Map.of(name, new Json.Text(value)));
    }

    private static Json words(List<Settings.NodePortRange> ranges) {
        return Json.of(
                ranges.stream()
                        .map(
                                range ->
                                        switch (range) {
                                            case Settings.NodePortRange.All _ -> "all";
                                            case Settings.NodePortRange.Primary _ -> "primary";
                                            case Settings.NodePortRange.Localhost _ -> "localhost";
                                            case Settings.NodePortRange.Range(var cidr) ->
                                                    cidr.toString();
                                        })
                        .toList());
    }

    private static Json section(ProxyConfiguration configuration) {
        Settings settings = configuration.settings();
        Map<String, Json> section = new LinkedHashMap<>();
        section.put("masqueradeBit", new Json.Count(settings.masqueradeBit()));
        section.put(
                "masqueradeAll",
                new Json.Truth(settings.masquerade() == Settings.MasqueradeScope.ALL));
        section.put("minSyncPeriod", duration(configuration.minSyncPeriod()));
        section.put("syncPeriod", duration(configuration.syncPeriod()));
        if (configuration.mode().equals("ipvs")) {
            section.put("scheduler", new Json.Text(settings.ipvs().scheduler()));
        }
        return new Json.Fields(section);
    }

    private static Json duration(Duration duration) {
        return new Json.Text(duration.toMillis() / 1000.0 + "s");
    }
}
