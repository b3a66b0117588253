package dev.pointsman.perf;

import dev.pointsman.perf.api.ObjectName;
import dev.pointsman.perf.api.Write;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What a real API server holds. Read and written on any thread.
final class RealCluster implements AutoCloseable {
    /// An emulated processor that a kube-proxy keeps busy answers late.
    private static final int PATIENCE_MILLIS = 600_000;

    private final KubernetesClient client;

    /// The cluster of the current context of `kubeconfig`.
    RealCluster(Path kubeconfig) {
        client =
                new KubernetesClientBuilder()
                        .withConfig(
                                new ConfigBuilder(Config.fromKubeconfig(kubeconfig.toFile()))
                                        .withRequestTimeout(PATIENCE_MILLIS)
                                        .build())
                        .build();
    }

    void createNamespace(String name) {
        ObjectNode namespace = JsonNodeFactory.instance.objectNode();
        namespace.putObject("metadata").put("name", name);
        client.raw("/api/v1/namespaces", "POST", namespace);
    }

    /// The object as it is.
    ObjectNode get(ObjectName name) {
        String found = client.raw(name.path());
        if (found == null) {
            throw new NoSuchElementException("there is no " + name);
        }
        return (ObjectNode) JsonMapper.shared().readTree(found);
    }

    void write(Write write) {
        switch (write) {
            case Write.Create(var object) ->
                    client.raw(ObjectName.of(object).listPath(), "POST", unwritten(object));
            case Write.Replace(var object) ->
                    client.raw(ObjectName.of(object).path(), "PUT", unwritten(object));
            case Write.Delete(var name) -> client.raw(name.path(), "DELETE", null);
        }
    }

    /// Without what a server gave it when it was written before, which would be a condition now.
    private static ObjectNode unwritten(ObjectNode object) {
        ObjectNode unwritten = object.deepCopy();
        unwritten.withObject("metadata").remove(List.of("resourceVersion", "uid"));
        return unwritten;
    }

    @Override
    public void close() {
        client.close();
    }
}
