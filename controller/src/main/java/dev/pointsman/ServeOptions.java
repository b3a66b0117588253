package dev.pointsman;

import dev.pointsman.config.Serving;
import java.util.List;
import picocli.CommandLine.Option;

/// Where the process shows its health and metrics.
final class ServeOptions {
    @Option(
            names = "--healthz-bind-address",
            paramLabel = "ADDRESS[:PORT]",
            description =
                    "Where /healthz and /livez are served (over the configuration's"
                            + " healthzBindAddress); nowhere if empty.")
    List<String> healthz = List.of();

    @Option(
            names = "--metrics-bind-address",
            paramLabel = "ADDRESS[:PORT]",
            description =
                    "Where /metrics and other pages for operators are served (over the"
                            + " configuration's metricsBindAddress); nowhere if empty.")
    List<String> metrics = List.of();

    /// What the configuration says with these on top.
    Serving over(Serving configured) {
        Serving serving = configured;
        try {
            for (String address : healthz) {
                serving = serving.withHealthz(address);
            }
            for (String address : metrics) {
                serving = serving.withMetrics(address);
            }
        } catch (IllegalArgumentException e) {
            throw Complaint.ofInput(
                    "--healthz-bind-address, --metrics-bind-address: "
                            + e.getMessage()
                            + "; give 127.0.0.1:10256 or the like");
        }
        return serving;
    }
}
