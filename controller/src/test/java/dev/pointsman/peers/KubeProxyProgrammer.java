package dev.pointsman.peers;

import dev.pointsman.graph.ServiceState;
import dev.pointsman.packet.kernel.Programmer;
import dev.pointsman.packet.scenario.Cluster;
import dev.pointsman.packet.scenario.Sync;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Programs by a real kube-proxy: the objects of each sync go to the API server, and the rules are
/// there when kube-proxy has written the last of them.
final class KubeProxyProgrammer implements Programmer {
    /// Who looks at the rules of each sync.
    @FunctionalInterface
    interface Witness {
        /// Is called from inside the node's namespace.
        ///
        /// @param number of the beacon that is in the rules
        void see(Sync sync, int number) throws Exception;
    }

    private final Peers peers;
    private final ProxyMode mode;
    private final Witness witness;
    private Optional<KubeProxy> running = Optional.empty();

    KubeProxyProgrammer(Peers peers, ProxyMode mode, Witness witness) {
        this.peers = peers;
        this.mode = mode;
        this.witness = witness;
    }

    @Override
    public void program(Sync sync) throws Exception {
        Cluster cluster = sync.cluster();
        KubeProxy.Start start = new KubeProxy.Start(mode, cluster.node(), cluster.settings());
        boolean same = running.filter(proxy -> proxy.start().equals(start)).isPresent();
        if (!same) {
            remove();
        }
        int number = peers.hold(objects(cluster));
        if (same) {
            running.orElseThrow().await(number);
        } else {
            running = Optional.of(KubeProxy.start(peers, start, number));
        }
        witness.see(sync, number);
    }

    private static List<HasMetadata> objects(Cluster cluster) {
        List<HasMetadata> objects = new ArrayList<>(List.of(KubeObjects.of(cluster.node())));
        for (ServiceState.Present service : cluster.services()) {
            objects.addAll(KubeObjects.of(service));
        }
        return objects;
    }

    /// Its rules stay, and go with the namespace.
    @Override
    public void remove() {
        running.ifPresent(KubeProxy::close);
        running = Optional.empty();
    }
}
