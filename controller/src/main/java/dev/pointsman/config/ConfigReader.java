package dev.pointsman.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Reads kube-proxy's configuration: a `kubeproxy.config.k8s.io/v1alpha1` KubeProxyConfiguration in
/// YAML or JSON, alone or in a ConfigMap, or flags. Reports every problem and not only the first; a
/// field that it does not know is worth a warning, as kube-proxy has it for this version of the
/// API.
public final class ConfigReader {
    static final String API_VERSION = "kubeproxy.config.k8s.io/v1alpha1";
    static final String KIND = "KubeProxyConfiguration";

    private static final Set<String> SECTIONS =
            Set.of(
                    "clientConnection",
                    "conntrack",
                    "detectLocal",
                    "featureGates",
                    "iptables",
                    "ipvs",
                    "logging",
                    "logging.options",
                    "logging.options.json",
                    "logging.options.text",
                    "nftables",
                    "winkernel");

    private ConfigReader() {}

    /// Reads `file`, with what counts of `flags` on top.
    public static ConfigReading read(Path file, List<Flag.Given> flags, ModeChoice mode) {
        try {
            return read(
                    file.toString(), Files.readString(file, StandardCharsets.UTF_8), flags, mode);
        } catch (IOException e) {
            return new ConfigReading.Invalid(
                    List.of(
                            file
                                    + ": cannot be read: "
                                    + Unreadable.why(file, e)
                                    + "; give --config FILE"));
        }
    }

    /// Reads `text`, which came from `source`, with what counts of `flags` on top.
    public static ConfigReading read(
            String source, String text, List<Flag.Given> flags, ModeChoice mode) {
        Fields fields = new Fields(source);
        try {
            ConfigMapText.unwrapped(new Leaf.Origin(source, 0), text).flattenInto(fields);
        } catch (YamlDocument.NoObject e) {
            return new ConfigReading.Invalid(List.of(String.valueOf(e.getMessage())));
        }
        fields.expect("apiVersion", API_VERSION);
        fields.expect("kind", KIND);
        return read(fields, Flags.putBesideFile(flags, fields), mode);
    }

    /// Reads a command line that names no file.
    public static ConfigReading read(List<Flag.Given> flags, ModeChoice mode) {
        Fields fields = new Fields("");
        return read(fields, Flags.putAll(flags, fields), mode);
    }

    /// @param fieldless flags that no field is for
    private static ConfigReading read(Fields fields, List<String> fieldless, ModeChoice choice) {
        String place = fields.place("mode");
        String named = fields.oneOf("mode", "iptables", "ipvs", "nftables");
        String mode =
                !choice.asked().isEmpty()
                        ? choice.asked()
                        : named.isEmpty() ? choice.unnamed() : named;
        ProxyConfiguration configuration = configuration(fields, mode);
        fields.values().put("mode", new Value.Text(mode));
        fields.reportTheRest(KIND, SECTIONS);
        Unused.report(fields, fieldless);
        return fields.problems().isEmpty()
                ? new ConfigReading.Read(
                        configuration,
                        new Effective(
                                fields.values(), fields.differing(), modeOrigin(choice, place)),
                        fields.warnings())
                : new ConfigReading.Invalid(fields.problems());
    }

    private static String modeOrigin(ModeChoice choice, String place) {
        if (!choice.asked().isEmpty()) {
            return "--mode";
        }
        return place.isEmpty()
                ? "nobody names one: Pointsman's default, which is not kube-proxy's (iptables)"
                : place;
    }

    private static ProxyConfiguration configuration(Fields fields, String mode) {
        SyncPeriods periods = SyncPeriods.read(fields, mode);
        Unused.read(fields);
        return new ProxyConfiguration(
                mode,
                RuleSettings.read(fields, mode),
                periods.min(),
                periods.sync(),
                fields.value("hostnameOverride", "", FieldType.text(ConfigReader::hostname)),
                ClientConnection.read(fields),
                Servers.read(fields),
                Conntrack.read(fields),
                Logging.read(fields),
                fields.value(
                        "oomScoreAdj",
                        ProxyConfiguration.DEFAULT_OOM_SCORE_ADJ,
                        FieldType.count(-1000, 1000)));
    }

    private static String hostname(String text) {
        String name = text.strip().toLowerCase(Locale.ROOT);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("\"" + text + "\" is blank");
        }
        return name;
    }
}
