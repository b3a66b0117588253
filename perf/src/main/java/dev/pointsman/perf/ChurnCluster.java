package dev.pointsman.perf;

import dev.pointsman.perf.api.Churn;
import java.nio.file.Path;
import java.time.Duration;

/// Has a generated cluster in a real API server churn at a steady rate.
final class ChurnCluster {
    private ChurnCluster() {}

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != 5) {
            System.err.println(
                    "usage: perf/run churn KUBECONFIG SERVICES ENDPOINTS_EACH SECONDS WRITES_A_SECOND");
            System.exit(2);
        }
        ClusterShape shape =
                new ClusterShape(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        Duration time = Duration.ofSeconds(Long.parseLong(arguments[3]));
        try (RealCluster cluster = new RealCluster(Path.of(arguments[0]))) {
            int writes =
                    new Churn(new ClusterObjects(shape).all(), cluster::get)
                            .play(cluster::write, time, Integer.parseInt(arguments[4]));
            System.out.println(writes + " writes");
        }
    }
}
