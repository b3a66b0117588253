package dev.pointsman.graph;

import java.util.ArrayList;
import java.util.List;

/// What every packet for one Frontend meets, by where it comes from.
///
/// @param fromPod from a pod that the local-traffic detector recognises; at a node port not from
///   one whose packet comes in by the interface with the address it dialled, unless that pod is
///   known to be this node's
/// @param fromHost from an address of this node
/// @param fromOutside from anywhere else; equals `fromPod` when there is no detector
/// @param scheduler of IPVS; other modes have one way only to choose an endpoint
public record Treatment(
        ServicePortName owner,
        Kind kind,
        Sources sources,
        Affinity affinity,
        Disposition fromPod,
        Disposition fromHost,
        Disposition fromOutside,
        String scheduler) {

    /// Which of a Service's addresses the Frontend is.
    public enum Kind {
        CLUSTER_IP,
        LOAD_BALANCER_IP,
        EXTERNAL_IP,
        NODE_PORT
    }

    /// Whether every packet, wherever it comes from, goes to some endpoint.
    public boolean isOpen() {
        return sources instanceof Sources.Everyone
                && fromPod instanceof Disposition.Balance
                && fromHost instanceof Disposition.Balance
                && fromOutside instanceof Disposition.Balance;
    }

    /// Whether pods of this node are led elsewhere than clients outside.
    boolean isForked() {
        return switch (fromPod) {
            case Disposition.Balance(Pool pool, _) ->
                    !(fromOutside instanceof Disposition.Balance(Pool other, _))
                            || pool.scope() != other.scope();
            case Disposition.Reject _, Disposition.Drop _ -> !fromPod.equals(fromOutside);
        };
    }

    /// The pools it balances over, each once, the cluster list first.
    public List<Pool> pools() {
        List<Pool> pools = new ArrayList<>(2);
        for (Disposition disposition : List.of(fromPod, fromHost, fromOutside)) {
            if (disposition instanceof Disposition.Balance(Pool pool, _) && !pools.contains(pool)) {
                pools.add(pool);
            }
        }
        pools.sort((a, b) -> a.scope().compareTo(b.scope()));
        return pools;
    }

    /// The same with each pool replaced by its namesake in `pools`, where there is one.
    Treatment movedTo(List<Pool> pools) {
        return new Treatment(
                owner,
                kind,
                sources,
                affinity,
                fromPod.movedTo(pools),
                fromHost.movedTo(pools),
                fromOutside.movedTo(pools),
                scheduler);
    }
}
