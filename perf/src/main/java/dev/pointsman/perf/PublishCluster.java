package dev.pointsman.perf;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Puts a snapshot from standard input into a real API server, or replaces one endpoint there, so
/// that a real kube-proxy has it to program.
final class PublishCluster {
    private static final int WRITERS = 8;

    /// An emulated processor that a kube-proxy keeps busy answers late.
    private static final int PATIENCE_MILLIS = 600_000;

    private PublishCluster() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 1 && arguments.length != 3) {
            System.err.println(
                    "usage: perf/run publish KUBECONFIG <snapshot.json\n"
                            + "       perf/run publish KUBECONFIG NAMESPACE/SLICE ADDRESS");
            System.exit(2);
        }
        try (KubernetesClient client =
                new KubernetesClientBuilder()
                        .withConfig(
                                new ConfigBuilder(
                                                Config.fromKubeconfig(
                                                        Path.of(arguments[0]).toFile()))
                                        .withRequestTimeout(PATIENCE_MILLIS)
                                        .build())
                        .build()) {
            if (arguments.length == 1) {
                publish(client);
            } else {
                replace(client, arguments[1], arguments[2]);
            }
        }
    }

    private static void publish(KubernetesClient client) throws Exception {
        List<HasMetadata> objects = client.load(System.in).items();
        objects.stream()
                .map(object -> object.getMetadata().getNamespace())
                .filter(namespace -> namespace != null)
                .distinct()
                .forEach(
                        namespace ->
                                client.resource(
                                                new NamespaceBuilder()
                                                        .withNewMetadata()
                                                        .withName(namespace)
                                                        .endMetadata()
                                                        .build())
                                        .create());
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<HasMetadata>> written =
                    objects.stream()
                            .filter(
                                    object ->
                                            object instanceof Node
                                                    || object instanceof Service
                                                    || object instanceof EndpointSlice)
                            .map(object -> writers.submit(() -> client.resource(object).create()))
                            .toList();
            for (Future<HasMetadata> each : written) {
                each.get();
            }
        }
    }

    /// Gives the first endpoint of a slice another address.
    private static void replace(KubernetesClient client, String slice, String address) {
        String[] name = slice.split("/", 2);
        client.discovery()
                .v1()
                .endpointSlices()
                .inNamespace(name[0])
                .withName(name[1])
                .edit(
                        now -> {
                            now.getEndpoints().getFirst().setAddresses(List.of(address));
                            return now;
                        });
    }
}
