package dev.pointsman;

import dev.pointsman.config.ConfigReader;
import dev.pointsman.config.ConfigReading;
import dev.pointsman.config.ModeChoice;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `pointsman config validate`.
@Command(
        name = "validate",
        description = {
            "Checks a KubeProxyConfiguration, or the ConfigMap that it is in, and lists everything"
                    + " that is wrong with it.",
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it can be used; warnings are listed",
            "1:it cannot be used; with --strict also when there is a warning",
            "2:bad usage, or the file cannot be read",
        })
final class ConfigValidateCommand implements Callable<Integer> {
    private final Surroundings around;

    @Parameters(paramLabel = "FILE", description = "What to check; - for standard input.")
    String file = "";

    @Option(
            names = "--strict",
            description = "Unknown fields, and all else that is worth a warning, are problems.")
    boolean strict;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by default.")
    TextFormat output = TextFormat.text;

    ConfigValidateCommand(Surroundings around) {
        this.around = around;
    }

    private record Verdict(List<String> problems, List<String> warnings) {}

    @Override
    public Integer call() {
        String text = ConfigFile.text(file, around.in());
        Verdict verdict =
                switch (ConfigReader.read(file, text, List.of(), ModeChoice.OPEN)) {
                    case ConfigReading.Invalid(var problems) -> new Verdict(problems, List.of());
                    case ConfigReading.Read read when strict ->
                            new Verdict(read.warnings(), List.of());
                    case ConfigReading.Read read -> new Verdict(List.of(), read.warnings());
                };
        switch (output) {
            case text -> {
                verdict.problems().forEach(line -> around.out().println("problem: " + line));
                verdict.warnings().forEach(line -> around.out().println("warning: " + line));
            }
            case json -> json(verdict).print(around.out());
        }
        return verdict.problems().isEmpty() ? Exit.OK : Exit.DIFFERENT;
    }

    private Json json(Verdict verdict) {
        Map<String, Json> document = FileOptions.document("ConfigurationCheck");
        document.put("file", new Json.Text(file));
        document.put("problems", Json.of(verdict.problems()));
        document.put("warnings", Json.of(verdict.warnings()));
        return new Json.Fields(document);
    }
}
