package dev.pointsman;

import dev.pointsman.config.ConfigReader;
import dev.pointsman.config.ConfigReading;
import dev.pointsman.config.Flag;
import dev.pointsman.config.Manifest;
import dev.pointsman.config.ModeChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `pointsman config convert`.
@Command(
        name = "convert",
        description = {
            "Prints the KubeProxyConfiguration that says the same as kube-proxy's flags, a"
                    + " ConfigMap, or the manifest of kube-proxy's DaemonSet or Pod.",
            "Fields that hold their default are left out."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:printed; what cannot be said in a configuration is named on stderr",
            "2:bad usage or input, which is named",
        })
final class ConfigConvertCommand implements Callable<Integer> {
    private final Surroundings around;

    @Spec CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--from-flags",
            description = "Convert flags: --from-flags -- --proxy-mode=ipvs --v=2")
    boolean fromFlags;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "yaml",
            description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by default.")
    ConfigFormat output = ConfigFormat.yaml;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "What to convert; - for standard input. Flags with --from-flags.")
    List<String> what = new ArrayList<>();

    ConfigConvertCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        switch (fromFlags ? flags(what) : file()) {
            case ConfigReading.Invalid(var problems) -> throw new Complaint(Exit.INPUT, problems);
            case ConfigReading.Read read -> {
                read.warnings().forEach(this::warn);
                ConfigViewCommand.print(read.effective().differences(), output, around.out());
            }
        }
        return Exit.OK;
    }

    private ConfigReading file() {
        if (what.size() != 1) {
            throw new ParameterException(
                    spec.commandLine(), "give one file, or flags after --from-flags --");
        }
        String name = what.getFirst();
        String text = ConfigFile.text(name, around.in());
        return switch (Manifest.of(name, text)) {
            case Manifest.Holding.Configuration _ ->
                    ConfigReader.read(name, text, List.of(), ModeChoice.OPEN);
            case Manifest.Holding.Arguments(var arguments) -> flags(arguments);
            case Manifest.Holding.Nothing(var why) -> throw Complaint.ofInput(why);
        };
    }

    private ConfigReading flags(List<String> arguments) {
        KubeProxyFlags.Arguments parsed = KubeProxyFlags.parse(arguments);
        if (parsed.beside().contains("--config")) {
            throw Complaint.ofInput(
                    "--config: the configuration is in the file that it names, or in the ConfigMap"
                            + " that is mounted there; convert that");
        }
        for (String name : parsed.beside()) {
            warn(name + " is no part of a configuration; give it on the command line");
        }
        List<Flag.Given> fixed = new ArrayList<>();
        for (Flag.Given given : parsed.given()) {
            if (given.value().contains("$(")) {
                warn(
                        "--"
                                + given.flag().name()
                                + ": Kubernetes fills "
                                + given.value()
                                + " in, for each node another; give it on the command line");
            } else {
                if (given.value().isEmpty()
                        || given.flag().name().endsWith("-port") && given.value().equals("0")) {
                    warn(
                            "--"
                                    + given.flag().name()
                                    + "="
                                    + given.value()
                                    + " cannot be said in a file, where empty stands for the"
                                    + " default");
                }
                fixed.add(given);
            }
        }
        return ConfigReader.read(fixed, ModeChoice.OPEN);
    }

    private void warn(String line) {
        around.err().println("warning: " + line);
    }
}
