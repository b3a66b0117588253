package dev.pointsman;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// `pointsman`: options that every command has.
@Command(
        name = "pointsman",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Version.class,
        description =
                "Programs the Service rules of a Kubernetes node, in place of kube-proxy, and"
                        + " answers offline what it would program.",
        synopsisSubcommandLabel = "COMMAND")
final class PointsmanCommand implements Callable<Integer> {
    @Spec CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Say more: where an unexpected error came from.")
    boolean verbose;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "say what to do");
    }
}
