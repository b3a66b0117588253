package dev.pointsman;

import dev.pointsman.graph.ServiceName;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `pointsman get`: what the rule graph says, or a kernel holds, for people.
@Command(
        name = "get",
        description = "Shows what becomes of traffic for Services on one node, and why.",
        synopsisSubcommandLabel = "services|endpoints|draining")
final class GetCommand implements Callable<Integer> {
    @Spec CommandSpec spec = CommandSpec.create();

    /// Options of everything that a snapshot tells.
    static final class Scope {
        @Mixin FileOptions input = new FileOptions();
        @Mixin RuleOptions rules = new RuleOptions();

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE",
                description = "Only Services of this namespace; of all namespaces by default.")
        String namespace = "";

        @Option(
                names = {"-A", "--all-namespaces"},
                description = "Services of all namespaces, whatever -n says.")
        boolean everywhere;

        @Option(
                names = {"-o", "--output"},
                defaultValue = "table",
                description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by default.")
        TableFormat output = TableFormat.table;

        boolean includes(ServiceName service) {
            return isWide() || service.namespace().equals(namespace);
        }

        /// What to say when there is nothing to show.
        String nothing(String things) {
            return isWide()
                    ? "there are no " + things + " in the snapshot"
                    : "there are no "
                            + things
                            + " in namespace "
                            + namespace
                            + "; without -n all are shown";
        }

        private boolean isWide() {
            return everywhere || namespace.isEmpty();
        }
    }

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(), "say what to get: services, endpoints or draining");
    }
}
