package dev.pointsman;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `pointsman man`.
@Command(
        name = "man",
        description = {
            "Prints a command's page of the manual.",
            "Read it with: pointsman man get services | man -l -"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it is printed", "2:bad usage, or there is no such command"})
final class ManCommand implements Callable<Integer> {
    private final Surroundings around;

    @Spec CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..*",
            paramLabel = "COMMAND",
            description = "Of which; pointsman itself without.")
    List<String> words = List.of();

    @Option(names = "--list", description = "Print the names of all pages instead.")
    boolean list;

    ManCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        CommandLine command = named();
        if (list) {
            Commands.from(command).map(ManPage::name).forEach(around.out()::println);
        } else {
            around.out().print(ManPage.of(command));
        }
        return Exit.OK;
    }

    private CommandLine named() {
        CommandLine command = spec.root().commandLine();
        for (String word : words) {
            command = command.getSubcommands().get(word);
            if (command == null) {
                throw new ParameterException(
                        spec.commandLine(), "there is no command " + String.join(" ", words));
            }
        }
        return command;
    }
}
