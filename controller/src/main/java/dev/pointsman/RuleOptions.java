package dev.pointsman;

import dev.pointsman.config.ConfigReader;
import dev.pointsman.config.ConfigReading;
import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Settings;
import dev.pointsman.store.Finding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/// What decides rules besides the cluster: the same options for live and for offline use, so that
/// both come to the same rules.
final class RuleOptions {
    @Option(
            names = "--node",
            paramLabel = "NAME",
            description = "Name of the Node to act as (over the configuration's hostnameOverride).")
    String node = "";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "kube-proxy's configuration (KubeProxyConfiguration v1alpha1). Options given"
                            + " here count more than it.")
    Optional<Path> config = Optional.empty();

    @Option(
            names = "--cluster-cidr",
            paramLabel = "RANGE[,RANGE]",
            description = "Addresses of the cluster's pods, one range of each family.")
    String clusterCidr = "";

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description =
                    "How the kernel is programmed; what the configuration says, or ipvs for --rules"
                            + " with virtual servers, or iptables for --rules that iptables-save"
                            + " printed, or nftables.")
    String mode = "";

    @Option(
            names = "--family",
            defaultValue = "all",
            description = "IP families: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by default.")
    FamilyChoice family = FamilyChoice.all;

    List<Family> families() {
        return family.families();
    }

    /// The configuration with what the command line says on top. Whatever is odd about it goes to
    /// `findings`.
    ProxyConfiguration configuration(List<Finding> findings) {
        return configuration(findings, ProxyConfiguration.DEFAULT_MODE);
    }

    /// As above.
    ///
    /// @param unnamed the mode where neither the command line nor the file names one
    ProxyConfiguration configuration(List<Finding> findings, String unnamed) {
        ProxyConfiguration read =
                config.map(file -> read(file, unnamed, findings))
                        .orElseGet(
                                () -> ProxyConfiguration.defaults(mode.isEmpty() ? unnamed : mode));
        if (!clusterCidr.isEmpty()) {
            read = read.withSettings(read.settings().withDetectLocal(clusterRanges()));
        }
        if (read.settings().detectLocal() instanceof Settings.DetectLocal.ClusterRanges(var ranges)
                && ranges.isEmpty()) {
            findings.add(
                    new Finding(
                            Finding.Severity.WARNING,
                            "configuration",
                            config.map(Path::toString).orElse(""),
                            "clusterCIDR",
                            "is not set, so that pods of this node cannot be told from others",
                            "nothing for cluster IPs is masqueraded by where it comes from, and"
                                    + " pods get no short cut to Services with external policy Local;"
                                    + " give --cluster-cidr or a detectLocalMode"));
        }
        return read;
    }

    private ProxyConfiguration read(Path file, String unnamed, List<Finding> findings) {
        return switch (ConfigReader.read(file, mode, unnamed)) {
            case ConfigReading.Invalid(var problems) -> throw new Complaint(Exit.INPUT, problems);
            case ConfigReading.Read(var configuration, var warnings) -> {
                for (String warning : warnings) {
                    findings.add(
                            new Finding(
                                    Finding.Severity.WARNING,
                                    "configuration",
                                    "",
                                    "",
                                    warning,
                                    ""));
                }
                yield configuration;
            }
        };
    }

    private Settings.DetectLocal clusterRanges() {
        try {
            return new Settings.DetectLocal.ClusterRanges(ConfigReader.ranges(clusterCidr));
        } catch (IllegalArgumentException e) {
            throw Complaint.ofInput(
                    "--cluster-cidr: "
                            + e.getMessage()
                            + "; give 10.244.0.0/16 or one of each family");
        }
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

    /// All modes by name, for `all`.
    static List<Mode> sorted(Iterable<Mode> available) {
        List<Mode> modes = new ArrayList<>();
        available.forEach(modes::add);
        modes.sort((a, b) -> a.name().compareTo(b.name()));
        return modes;
    }
}
