package dev.pointsman;

import dev.pointsman.config.ConfigReader;
import dev.pointsman.config.ConfigReading;
import dev.pointsman.config.Flag;
import dev.pointsman.config.ModeChoice;
import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Settings;
import dev.pointsman.store.Finding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/// Where the configuration comes from. `--node` and `--mode` are Pointsman's own and count more
/// than a file; `--cluster-cidr` is a flag of kube-proxy and counts, as there, without a file.
final class ConfigOptions {
    @Option(
            names = "--node",
            paramLabel = "NAME",
            description = "Name of the Node to act as (over the configuration's hostnameOverride).")
    String node = "";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "kube-proxy's configuration: KubeProxyConfiguration v1alpha1, or the ConfigMap"
                            + " that it is in.")
    Optional<Path> config = Optional.empty();

    @Option(
            names = "--cluster-cidr",
            paramLabel = "RANGE[,RANGE]",
            description =
                    "Addresses of the cluster's pods, one range of each family. With --config it"
                            + " is ignored, as kube-proxy does.")
    String clusterCidr = "";

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description =
                    "How the kernel is programmed; what the configuration says, or ipvs for --rules"
                            + " with virtual servers, or iptables for --rules that iptables-save"
                            + " printed, or nftables.")
    String mode = "";

    /// What came of reading the configuration.
    ///
    /// @param flags of kube-proxy
    /// @param unnamed the mode where nobody names one
    ConfigReading read(List<Flag.Given> flags, String unnamed) {
        List<Flag.Given> given = new ArrayList<>(flags);
        if (!clusterCidr.isEmpty()) {
            given.add(new Flag.Given(Flag.named("cluster-cidr"), clusterCidr));
        }
        ModeChoice choice = new ModeChoice(mode, unnamed);
        return config.map(file -> ConfigReader.read(file, given, choice))
                .orElseGet(() -> ConfigReader.read(given, choice));
    }

    /// The configuration that was read, or the end of the command. Whatever is odd about it goes to
    /// `findings`.
    ConfigReading.Read taken(ConfigReading reading, List<Finding> findings) {
        return switch (reading) {
            case ConfigReading.Invalid(var problems) -> throw new Complaint(Exit.INPUT, problems);
            case ConfigReading.Read read -> {
                for (String warning : read.warnings()) {
                    findings.add(
                            new Finding(
                                    Finding.Severity.WARNING,
                                    "configuration",
                                    "",
                                    "",
                                    warning,
                                    ""));
                }
                lacksRanges(read.configuration()).ifPresent(findings::add);
                yield read;
            }
        };
    }

    private Optional<Finding> lacksRanges(ProxyConfiguration configuration) {
        return configuration.settings().detectLocal()
                                instanceof Settings.DetectLocal.ClusterRanges(var ranges)
                        && ranges.isEmpty()
                ? Optional.of(
                        new Finding(
                                Finding.Severity.WARNING,
                                "configuration",
                                config.map(Path::toString).orElse(""),
                                "clusterCIDR",
                                "is not set, so that pods of this node cannot be told from others",
                                "nothing for cluster IPs is masqueraded by where it comes from, and"
                                        + " pods get no short cut to Services with external policy"
                                        + " Local; give "
                                        + (config.isPresent() ? "it" : "--cluster-cidr")
                                        + " or a detectLocalMode"))
                : Optional.empty();
    }

    /// The Node that was asked for.
    Optional<String> nodeName(ProxyConfiguration configuration) {
        String name = node.isEmpty() ? configuration.hostnameOverride() : node;
        return Optional.of(name.strip().toLowerCase(Locale.ROOT)).filter(n -> !n.isEmpty());
    }

    /// The mode that was asked for.
    Mode mode(ProxyConfiguration configuration, Iterable<Mode> available) {
        String wanted = configuration.mode();
        TreeSet<String> names = new TreeSet<>();
        for (Mode each : available) {
            if (each.name().equals(wanted)) {
                return each;
            }
            names.add(each.name());
        }
        String where =
                mode.isEmpty() && config.isPresent() ? config.get() + ": mode: " : "--mode: ";
        throw Complaint.ofInput(
                where
                        + "this Pointsman has no mode \""
                        + wanted
                        + "\"; it has "
                        + (names.isEmpty() ? "none at all" : String.join(", ", names))
                        + (mode.isEmpty() && !names.isEmpty()
                                ? "; --mode " + names.getFirst() + " chooses it"
                                : ""));
    }
}
