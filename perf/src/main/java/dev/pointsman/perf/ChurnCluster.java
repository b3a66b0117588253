package dev.pointsman.perf;

import dev.pointsman.graph.ServiceName;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/// Changes a generated cluster in a real API server at a steady rate: pods replaced, Services
/// scaled to nothing and back, Services deleted and made again. The order is always the same. How
/// many Services and pods there are is the same at the end as at the start.
final class ChurnCluster {
    private static final long SEED = 20261130;

    private final KubernetesClient client;
    private final ClusterShape shape;
    private final Random chance = new Random(SEED);
    private int spare;

    private ChurnCluster(KubernetesClient client, ClusterShape shape) {
        this.client = client;
        this.shape = shape;
    }

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != 5) {
            System.err.println(
                    "usage: perf/run churn KUBECONFIG SERVICES ENDPOINTS_EACH SECONDS CHANGES_A_SECOND");
            System.exit(2);
        }
        ClusterShape shape =
                new ClusterShape(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        Duration time = Duration.ofSeconds(Long.parseLong(arguments[3]));
        Duration pause = Duration.ofSeconds(1).dividedBy(Integer.parseInt(arguments[4]));
        try (KubernetesClient client =
                new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(Path.of(arguments[0]).toFile()))
                        .build()) {
            int changes = new ChurnCluster(client, shape).churn(time, pause);
            System.out.println(changes + " changes");
        }
    }

    private int churn(Duration time, Duration pause) throws InterruptedException {
        long start = System.nanoTime();
        int changes = 0;
        while (System.nanoTime() - start < time.toNanos()) {
            change();
            changes++;
            long early = start + changes * pause.toNanos() - System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(early);
        }
        return changes;
    }

    private void change() {
        int service = chance.nextInt(shape.services());
        switch (chance.nextInt(10)) {
            case 0 -> {
                List<Endpoint> pods = new ArrayList<>();
                edit(
                        service,
                        before -> {
                            pods.addAll(before);
                            return List.of();
                        });
                edit(service, _ -> pods);
            }
            case 1 -> remake(service);
            default -> edit(service, this::withOtherPod);
        }
    }

    private List<Endpoint> withOtherPod(List<Endpoint> pods) {
        List<Endpoint> after = new ArrayList<>(pods);
        int slot = chance.nextInt(after.size());
        spare = (spare + 1) % (1 << 16);
        after.set(
                slot,
                new EndpointBuilder(after.get(slot))
                        .withAddresses("10.200." + (spare >> 8) + "." + (spare & 0xff))
                        .build());
        return after;
    }

    private void edit(int service, UnaryOperator<List<Endpoint>> change) {
        ServiceName name = shape.name(service);
        client.discovery()
                .v1()
                .endpointSlices()
                .inNamespace(name.namespace())
                .withName(shape.slices(service, shape.slots()).getFirst().name())
                .edit(
                        slice -> {
                            slice.setEndpoints(change.apply(slice.getEndpoints()));
                            return slice;
                        });
    }

    private void remake(int service) {
        ServiceName name = shape.name(service);
        var resource = client.services().inNamespace(name.namespace()).withName(name.name());
        Service before = resource.get();
        resource.delete();
        client.resource(
                        new ServiceBuilder(before)
                                .editMetadata()
                                .withResourceVersion(null)
                                .withUid(null)
                                .endMetadata()
                                .build())
                .create();
    }
}
