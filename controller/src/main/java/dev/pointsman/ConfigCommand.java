package dev.pointsman;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `pointsman config`.
@Command(
        name = "config",
        description = "Shows, checks and converts kube-proxy's configuration.",
        synopsisSubcommandLabel = "view|validate|convert")
final class ConfigCommand implements Callable<Integer> {
    @Spec CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(), "say what to do: view, validate or convert");
    }
}
