package dev.pointsman;

import dev.pointsman.config.ConfigReading;
import dev.pointsman.config.ConfigYaml;
import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.config.Value;
import dev.pointsman.store.Finding;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `pointsman config view`.
@Command(
        name = "view",
        description = {
            "Prints the configuration that run would have with the same options, defaults included.",
            "What it prints is a KubeProxyConfiguration. kube-proxy's flags are taken as well."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:printed", "2:bad usage, or the configuration cannot be used"})
final class ConfigViewCommand implements Callable<Integer> {
    private final Surroundings around;
    private final KubeProxyFlags flags;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Option(
            names = {"-o", "--output"},
            defaultValue = "yaml",
            description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by default.")
    ConfigFormat output = ConfigFormat.yaml;

    ConfigViewCommand(Surroundings around, KubeProxyFlags flags) {
        this.around = around;
        this.flags = flags;
    }

    @Override
    public Integer call() {
        List<Finding> findings = new ArrayList<>();
        ConfigReading.Read read =
                options.taken(
                        options.read(flags.given(), ProxyConfiguration.DEFAULT_MODE), findings);
        findings.forEach(around.err()::println);
        around.err()
                .println(
                        "mode "
                                + read.configuration().mode()
                                + ": "
                                + read.effective().modeOrigin());
        print(read.effective().whole(), output, around.out());
        return Exit.OK;
    }

    static void print(Value.Section document, ConfigFormat format, PrintWriter out) {
        switch (format) {
            case yaml -> out.print(ConfigYaml.of(document));
            case json -> ConfigJson.of(document).print(out);
        }
    }
}
