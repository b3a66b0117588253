package dev.pointsman;

import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.kube.ApiServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/// Where the cluster is read from; the API server of this cluster if neither is given.
final class ClusterSource {
    @Option(
            names = "--snapshot",
            paramLabel = "PATH",
            arity = "1..*",
            description = "Files or folders with the cluster in them, read again when they change.")
    List<String> snapshots = new ArrayList<>();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description =
                    "How to reach the API server (over the configuration's"
                            + " clientConnection.kubeconfig); the one of this cluster if run"
                            + " in a Pod.")
    String kubeconfig = "";

    /// @param master address that goes before all others; empty for none
    ApiServer server(
            ProxyConfiguration configuration, String master, Map<String, String> environment) {
        String file =
                kubeconfig.isEmpty() ? configuration.clientConnection().kubeconfig() : kubeconfig;
        if (!file.isEmpty()) {
            return ofFile(Path.of(file), master);
        }
        if (!master.isEmpty()) {
            return ApiServer.at(master);
        }
        if (!environment.containsKey("KUBERNETES_SERVICE_HOST")) {
            throw Complaint.ofInput(
                    "this is no Pod of a cluster; give --kubeconfig FILE, or --snapshot PATH");
        }
        return ApiServer.ofThisCluster();
    }

    private static ApiServer ofFile(Path file, String master) {
        if (!Files.isReadable(file)) {
            throw Complaint.ofInput(
                    file
                            + (Files.exists(file) ? ": cannot be read" : ": there is no such file")
                            + "; give --kubeconfig FILE");
        }
        try {
            return master.isEmpty() ? ApiServer.of(file) : ApiServer.of(file, master);
        } catch (RuntimeException e) {
            throw Complaint.ofInput(
                    file + ": " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }
}
