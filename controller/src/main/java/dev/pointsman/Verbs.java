package dev.pointsman;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine;

/// The verbs of the program. To read what all of them take is half of the work of `health`, so that
/// a command line which begins with one has no other.
final class Verbs {
    /// @param command made with its surroundings
    private record Verb(String name, Function<Surroundings, Object> command) {}

    /// In the order of the help.
    private static final List<Verb> ALL =
            List.of(
                    new Verb("run", Verbs::run),
                    new Verb("render", RenderCommand::new),
                    new Verb("plan", PlanCommand::new),
                    new Verb("get", Verbs::get),
                    new Verb("trace", TraceCommand::new),
                    new Verb("verify", VerifyCommand::new),
                    new Verb("cleanup", CleanupCommand::new),
                    new Verb("health", HealthCommand::new),
                    new Verb("config", Verbs::config),
                    new Verb("completion", CompletionCommand::new),
                    new Verb("man", ManCommand::new));

    private static final Set<String> ABOUT_ALL = Set.of("completion", "man");

    private Verbs() {}

    /// What a command line that consists of `words` can mean, as picocli takes it.
    static List<Object> of(List<String> words, Surroundings around) {
        String first = words.isEmpty() ? "" : words.getFirst();
        List<Verb> asked = ALL.stream().filter(verb -> verb.name().equals(first)).toList();
        return (asked.isEmpty() || ABOUT_ALL.contains(first) ? ALL : asked)
                .stream().map(verb -> verb.command().apply(around)).toList();
    }

    private static CommandLine run(Surroundings around) {
        KubeProxyFlags flags = new KubeProxyFlags();
        return flags.addedTo(new CommandLine(new RunCommand(around, flags)));
    }

    private static CommandLine get(Surroundings around) {
        return new CommandLine(new GetCommand())
                .addSubcommand(new GetServicesCommand(around))
                .addSubcommand(new GetEndpointsCommand(around))
                .addSubcommand(new GetDrainingCommand(around));
    }

    private static CommandLine config(Surroundings around) {
        KubeProxyFlags flags = new KubeProxyFlags();
        return new CommandLine(new ConfigCommand())
                .addSubcommand(flags.addedTo(new CommandLine(new ConfigViewCommand(around, flags))))
                .addSubcommand(new ConfigValidateCommand(around))
                .addSubcommand(new ConfigConvertCommand(around));
    }
}
