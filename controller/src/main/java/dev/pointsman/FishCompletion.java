package dev.pointsman;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// Completions as fish reads them: a line for each command and each option, with what it does.
final class FishCompletion {
    private final List<String> lines = new ArrayList<>(List.of("complete -c pointsman -f"));

    private FishCompletion() {}

    /// The script.
    static String of(CommandLine root) {
        FishCompletion completion = new FishCompletion();
        completion.add(root, "");
        return String.join("\n", completion.lines) + "\n";
    }

    /// @param typed asks fish whether all words that lead to the command are there; empty for none
    private void add(CommandLine command, String typed) {
        List<CommandLine> below = Commands.below(command);
        String here =
                "complete -c pointsman -n '"
                        + typed
                        + (below.isEmpty() ? "true" : "not " + seen(below))
                        + "'";
        for (CommandLine next : below) {
            String does = Commands.description(next).getFirst();
            lines.add(here + " -a " + next.getCommandName() + " -d " + quoted(does));
        }
        for (OptionSpec option : Commands.options(command)) {
            lines.add(here + words(option) + " -d " + quoted(Commands.description(option)));
        }
        below.forEach(next -> add(next, typed + seen(List.of(next)) + "; and "));
    }

    private static String seen(List<CommandLine> commands) {
        return commands.stream()
                .map(CommandLine::getCommandName)
                .collect(Collectors.joining(" ", "__fish_seen_subcommand_from ", ""));
    }

    private static String words(OptionSpec option) {
        StringBuilder words = new StringBuilder();
        for (String name : option.names()) {
            words.append(name.startsWith("--") ? " -l " : " -s ")
                    .append(name.replaceFirst("-+", ""));
        }
        if (option.arity().min() > 0) {
            words.append(values(option));
        }
        return words.toString();
    }

    /// Whose values nobody lists may well be a file.
    private static String values(OptionSpec option) {
        Iterable<String> candidates = option.completionCandidates();
        return candidates == null
                ? " -r -F"
                : " -x -a "
                        + quoted(
                                StreamSupport.stream(candidates.spliterator(), false)
                                        .collect(Collectors.joining(" ")));
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
