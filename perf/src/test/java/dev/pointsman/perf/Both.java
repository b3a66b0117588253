package dev.pointsman.perf;

import dev.pointsman.kube.RealApiServer;
import dev.pointsman.perf.api.ApiClient;
import dev.pointsman.perf.api.ApiServer;
import dev.pointsman.perf.api.Store;
import dev.pointsman.perf.api.Write;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// A real API server and ours, written alike.
final class Both implements AutoCloseable {
    private final RealApiServer realServer;
    private final RealCluster realCluster;
    private final Store store = new Store();
    private final ApiServer ourServer;
    private final ApiClient real;
    private final ApiClient ours;

    /// @param namespaces that there are besides `default`
    Both(Path folder, List<String> namespaces) throws Exception {
        realServer = RealApiServer.start(folder, "--endpoint-reconciler-type=none");
        realCluster = new RealCluster(realServer.kubeconfig());
        real = new ApiClient(realServer.kubeconfig());
        ourServer =
                ApiServer.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), store);
        ours = new ApiClient(ourServer.kubeconfig(folder));
        namespaces.forEach(realCluster::createNamespace);
        // It makes one Service by itself, some time after it is ready.
        store.put(
                (ObjectNode)
                        real.watch("/api/v1/services?fieldSelector=metadata.name%3Dkubernetes")
                                .next()
                                .path("object"));
    }

    ApiClient real() {
        return real;
    }

    ApiClient ours() {
        return ours;
    }

    Store store() {
        return store;
    }

    void write(Write write) {
        realCluster.write(write);
        store.write(write);
    }

    /// Makes both forget what was and is no more.
    void compact() throws Exception {
        realServer.compact();
        store.compact();
    }

    @Override
    public void close() {
        ours.close();
        ourServer.close();
        real.close();
        realCluster.close();
        realServer.close();
    }
}
