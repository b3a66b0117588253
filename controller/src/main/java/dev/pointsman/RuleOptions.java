package dev.pointsman;

import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Family;
import dev.pointsman.store.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What decides rules besides the cluster: the same options for live and for offline use, so that
/// both come to the same rules.
final class RuleOptions {
    @Mixin ConfigOptions config = new ConfigOptions();

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
        return config.taken(config.read(List.of(), unnamed), findings).configuration();
    }

    /// The Node that was asked for.
    Optional<String> nodeName(ProxyConfiguration configuration) {
        return config.nodeName(configuration);
    }

    /// The mode that was asked for.
    Mode mode(ProxyConfiguration configuration, Iterable<Mode> available) {
        return config.mode(configuration, available);
    }

    /// All modes by name, for `all`.
    static List<Mode> sorted(Iterable<Mode> available) {
        List<Mode> modes = new ArrayList<>();
        available.forEach(modes::add);
        modes.sort((a, b) -> a.name().compareTo(b.name()));
        return modes;
    }
}
