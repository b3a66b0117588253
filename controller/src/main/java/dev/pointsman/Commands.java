package dev.pointsman;

import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// What completions and manual pages tell of commands.
final class Commands {
    private Commands() {}

    /// The commands right below one, each once, whatever other names it has.
    static List<CommandLine> below(CommandLine line) {
        return line.getSubcommands().values().stream().distinct().toList();
    }

    /// A command and all below it.
    static Stream<CommandLine> from(CommandLine line) {
        return Stream.concat(Stream.of(line), below(line).stream().flatMap(Commands::from));
    }

    /// What a command does, paragraph by paragraph.
    static List<String> description(CommandLine line) {
        return Stream.of(line.getCommandSpec().usageMessage().description())
                .map(Commands::plain)
                .toList();
    }

    /// The options that `--help` shows.
    static List<OptionSpec> options(CommandLine line) {
        return line.getCommandSpec().options().stream().filter(option -> !option.hidden()).toList();
    }

    static String description(OptionSpec option) {
        return plain(String.join(" ", option.description()));
    }

    /// What picocli would format.
    private static String plain(String text) {
        return text.replace("%n", " ").replace("%%", "%");
    }
}
