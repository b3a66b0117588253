package dev.pointsman.perf;

import dev.pointsman.perf.api.Kind;
import dev.pointsman.perf.api.ObjectName;
import dev.pointsman.perf.api.Snapshot;
import dev.pointsman.perf.api.Write;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import tools.jackson.databind.node.ObjectNode;

/// Puts a snapshot from standard input into a real API server, or replaces one endpoint there, so
/// that a real kube-proxy has it to program.
final class PublishCluster {
    private static final int WRITERS = 8;

    private PublishCluster() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 1 && arguments.length != 3) {
            System.err.println(
                    "usage: perf/run publish KUBECONFIG <snapshot.json\n"
                            + "       perf/run publish KUBECONFIG NAMESPACE/SLICE ADDRESS");
            System.exit(2);
        }
        try (RealCluster cluster = new RealCluster(Path.of(arguments[0]))) {
            if (arguments.length == 1) {
                publish(cluster);
            } else {
                replace(cluster, arguments[1], arguments[2]);
            }
        }
    }

    private static void publish(RealCluster cluster)
            throws IOException, InterruptedException, ExecutionException {
        // A server has ServiceCIDRs of its own.
        List<ObjectNode> objects =
                Snapshot.read(System.in).objects().stream()
                        .filter(object -> ObjectName.of(object).kind() != Kind.SERVICE_CIDR)
                        .toList();
        objects.stream()
                .map(object -> ObjectName.of(object).namespace())
                .filter(namespace -> !namespace.isEmpty())
                .distinct()
                .forEach(cluster::createNamespace);
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<?>> written =
                    objects.stream()
                            .<Future<?>>map(
                                    object ->
                                            writers.submit(
                                                    () -> cluster.write(new Write.Create(object))))
                            .toList();
            for (Future<?> each : written) {
                each.get();
            }
        }
    }

    /// Gives the first endpoint of a slice another address.
    private static void replace(RealCluster cluster, String slice, String address) {
        String[] name = slice.split("/", 2);
        ObjectNode object = cluster.get(new ObjectName(Kind.ENDPOINT_SLICE, name[0], name[1]));
        object.withArray("/endpoints/0/addresses").removeAll().add(address);
        cluster.write(new Write.Replace(object));
    }
}
