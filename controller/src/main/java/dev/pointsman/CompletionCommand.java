package dev.pointsman;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `pointsman completion`.
@Command(
        name = "completion",
        description = {
            "Prints a script that lets a shell complete options.",
            "Load it with: source <(pointsman completion bash)"
        })
final class CompletionCommand implements Callable<Integer> {
    /// Shells that read bash completions; zsh does through bashcompinit, which the script starts.
    enum Shell {
        bash,
        zsh
    }

    private final Surroundings around;

    @Spec CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "SHELL",
            description = "${COMPLETION-CANDIDATES}; the script serves both.")
    Shell shell = Shell.bash;

    CompletionCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        around.out().print(AutoComplete.bash("pointsman", spec.root().commandLine()));
        return Exit.OK;
    }
}
