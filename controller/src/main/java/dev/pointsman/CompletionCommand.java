package dev.pointsman;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `pointsman completion`.
@Command(
        name = "completion",
        description = {
            "Prints a script that lets a shell complete options.",
            "Load it with: source <(pointsman completion bash); in fish: pointsman completion fish |"
                    + " source"
        })
final class CompletionCommand implements Callable<Integer> {
    /// zsh reads bash's through bashcompinit, which the script starts.
    enum Shell {
        bash,
        zsh,
        fish
    }

    private final Surroundings around;

    @Spec CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "SHELL",
            description = "${COMPLETION-CANDIDATES}; the same script serves bash and zsh.")
    Shell shell = Shell.bash;

    CompletionCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        around.out()
                .print(
                        switch (shell) {
                            case bash, zsh -> AutoComplete.bash("pointsman", root);
                            case fish -> FishCompletion.of(root);
                        });
        return Exit.OK;
    }
}
