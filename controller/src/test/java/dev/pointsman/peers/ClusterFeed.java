package dev.pointsman.peers;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.ServiceResource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Makes an API server hold the objects of one situation after the other.
public final class ClusterFeed implements AutoCloseable {
    /// Hides an object from kube-proxy.
    private static final String OTHER_PROXY = "service.kubernetes.io/service-proxy-name";

    private static final int PATIENCE_SECONDS = 60;

    private final KubernetesClient client;
    private final SequencedMap<String, HasMetadata> held = new LinkedHashMap<>();

    public ClusterFeed(Path kubeconfig) {
        Config config = Config.fromKubeconfig(kubeconfig.toFile());
        config.setConnectionTimeout(PATIENCE_SECONDS * 1000);
        config.setRequestTimeout(PATIENCE_SECONDS * 1000);
        client = new KubernetesClientBuilder().withConfig(config).build();
    }

    /// Takes the API server's own Service, which no scenario knows of, out of kube-proxy's sight. A
    /// server that is ready may still have to make it.
    void hideOwnService() {
        ServiceResource<Service> own =
                client.services().inNamespace("default").withName("kubernetes");
        own.waitUntilCondition(service -> service != null, PATIENCE_SECONDS, TimeUnit.SECONDS);
        own.edit(
                service -> {
                    service.getMetadata().getLabels().put(OTHER_PROXY, "none");
                    return service;
                });
    }

    /// Writes what is not as it should be, in this order, and deletes what should not be there any
    /// more.
    public void hold(List<HasMetadata> objects) {
        SequencedMap<String, HasMetadata> wanted = new LinkedHashMap<>();
        objects.forEach(object -> wanted.put(key(object), object));
        for (String key : List.copyOf(held.keySet())) {
            if (!isUpdateOf(wanted.get(key), held.get(key))) {
                client.resource(held.remove(key)).delete();
            }
        }
        wanted.forEach(
                (key, object) -> {
                    if (!object.equals(held.put(key, object))) {
                        write(object);
                    }
                });
    }

    /// The Nodes, Services and EndpointSlices that `kubectl get -o yaml` printed into `file`.
    public List<HasMetadata> objects(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            List<HasMetadata> objects = client.load(in).items();
            objects.removeIf(
                    object ->
                            !(object instanceof Node
                                    || object instanceof Service
                                    || object instanceof EndpointSlice));
            for (HasMetadata object : objects) {
                object.getMetadata().setUid(null);
                object.getMetadata().setResourceVersion(null);
            }
            return objects;
        }
    }

    private static String key(HasMetadata object) {
        ObjectMeta meta = object.getMetadata();
        return object.getKind() + " " + meta.getNamespace() + "/" + meta.getName();
    }

    /// Whether the API server takes `now` for what it holds. Some things it lets nobody change, and
    /// a Node's status is none of what an update writes.
    private static boolean isUpdateOf(@Nullable HasMetadata now, @Nullable HasMetadata before) {
        return switch (now) {
            case null -> false;
            case Node node -> node.equals(before);
            case Service service ->
                    before instanceof Service old
                            && service.getSpec()
                                    .getClusterIPs()
                                    .equals(old.getSpec().getClusterIPs());
            default -> true;
        };
    }

    private void write(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        if (namespace != null && client.namespaces().withName(namespace).get() == null) {
            client.resource(KubeObjects.namespace(namespace)).create();
        }
        if (client.resource(object).get() == null) {
            client.resource(object).create();
        } else {
            client.resource(object).update();
        }
        if (object instanceof Service) {
            client.resource(object).updateStatus();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
