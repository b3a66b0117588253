package dev.pointsman;

import dev.pointsman.config.Effective;
import dev.pointsman.config.Flag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/// kube-proxy's own flags on a command line. They are not in its help: a list of seventy would hide
/// what people type.
final class KubeProxyFlags {
    private static final String DASHES = "--";

    private final List<OptionSpec> options = new ArrayList<>();

    /// Adds them to `command`, but for those that it has itself.
    CommandLine addedTo(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        for (Flag flag : Flag.ALL) {
            if (!spec.optionsMap().containsKey(DASHES + flag.name())) {
                options.add(option(flag));
                spec.addOption(options.getLast());
            }
        }
        return command;
    }

    private static OptionSpec option(Flag flag) {
        // Go takes a flag that is given twice, and the value of a switch only after an equals sign.
        OptionSpec.Builder option =
                OptionSpec.builder(DASHES + flag.name())
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .hidden(true);
        return switch (flag.kind()) {
            case VALUE, LIST, GATES -> option.arity("1").build();
            case SWITCH -> option.arity("0..1").fallbackValue("true").build();
        };
    }

    /// Those of the command line that was parsed last. Of one given twice the last counts, and of
    /// lists all items.
    List<Flag.Given> given() {
        List<Flag.Given> all = new ArrayList<>();
        for (OptionSpec option : options) {
            List<String> values = option.getValue();
            if (values == null || values.isEmpty()) {
                continue;
            }
            Flag flag = Flag.named(option.longestName().substring(DASHES.length()));
            all.add(
                    new Flag.Given(
                            flag,
                            switch (flag.kind()) {
                                case VALUE, SWITCH -> values.getLast();
                                case LIST, GATES -> String.join(",", values);
                            }));
        }
        return all;
    }

    /// Flags that are no fields of a configuration, and what becomes of them in one.
    record Arguments(List<Flag.Given> given, Set<String> beside) {}

    /// Reads a whole command line of kube-proxy.
    static Arguments parse(List<String> arguments) {
        CommandSpec spec = CommandSpec.create();
        for (String name : List.of("--config", "--master", "--write-config-to")) {
            spec.addOption(OptionSpec.builder(name).arity("1").type(String.class).build());
        }
        for (String name : List.of("--cleanup", "--init-only")) {
            spec.addOption(
                    OptionSpec.builder(name)
                            .arity("0..1")
                            .fallbackValue("true")
                            .type(String.class)
                            .build());
        }
        KubeProxyFlags flags = new KubeProxyFlags();
        CommandLine line = flags.addedTo(new CommandLine(spec));
        try {
            CommandLine.ParseResult parsed =
                    line.parseArgs(KubeProxyCall.spelt(arguments).toArray(String[]::new));
            Set<String> beside = new TreeSet<>();
            parsed.matchedOptions().stream()
                    .map(OptionSpec::longestName)
                    .filter(name -> !flags.names().contains(name))
                    .forEach(beside::add);
            return new Arguments(flags.given(), beside);
        } catch (ParameterException e) {
            throw Complaint.ofInput("kube-proxy: " + e.getMessage());
        }
    }

    /// The flags that are for a field, with what `configuration` holds there, wherever it came
    /// from, as Go prints it. Those of ports are left out: the addresses have them.
    static SortedMap<String, String> inForce(Effective configuration) {
        SortedMap<String, String> values = new TreeMap<>();
        for (Flag flag : Flag.ALL) {
            if (!flag.fields().isEmpty() && !flag.name().endsWith("-port")) {
                values.put(flag.name(), configuration.printed(flag.fields().getFirst()));
            }
        }
        return values;
    }

    private List<String> names() {
        return options.stream().map(OptionSpec::longestName).toList();
    }
}
