package dev.pointsman;

import dev.pointsman.config.ConfigYaml;
import dev.pointsman.config.Effective;
import dev.pointsman.config.Unreadable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/// Flags of kube-proxy that are no fields of its configuration. They count with and without a file.
final class KubeProxyActions {
    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "Address of the API server (over the one in the kubeconfig).")
    String master = "";

    @Option(
            names = "--write-config-to",
            paramLabel = "FILE",
            description = "Write the whole configuration, defaults included, and exit.")
    Optional<Path> writeTo = Optional.empty();

    @Option(
            names = "--cleanup",
            arity = "0..1",
            fallbackValue = "true",
            description = "Do what pointsman cleanup does, and exit.")
    boolean cleanup;

    @Option(
            names = "--init-only",
            arity = "0..1",
            fallbackValue = "true",
            description =
                    "Set the limits and timeouts of conntrack and what the mode wants of the node beside"
                            + " its rules, and exit.")
    boolean initOnly;

    /// What is to be done instead of running.
    Optional<Callable<Integer>> instead(Surroundings around) {
        return cleanup ? Optional.of(new CleanupCommand(around)) : Optional.empty();
    }

    boolean isToWrite() {
        return writeTo.isPresent();
    }

    void write(Effective configuration) {
        Path file = writeTo.orElseThrow();
        try {
            Files.writeString(file, ConfigYaml.of(configuration.whole()));
        } catch (IOException e) {
            throw Complaint.ofInput(
                    "--write-config-to: "
                            + file
                            + " cannot be written: "
                            + Unreadable.why(file, e));
        }
    }
}
