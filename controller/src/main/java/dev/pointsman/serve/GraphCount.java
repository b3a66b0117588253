package dev.pointsman.serve;

import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.Treatment;
import java.util.HashSet;
import java.util.Set;

/// What a graph amounts to. Looks at all of it.
///
/// @param slots of all pools, each counted once
/// @param withoutLocalInside Service ports with internal policy Local that have endpoints, but none
///   on this node
/// @param withoutLocalOutside the same under external policy Local
record GraphCount(int slots, int withoutLocalInside, int withoutLocalOutside) {
    private record PoolName(ServicePortName owner, Pool.Scope scope) {}

    static GraphCount of(RuleGraph graph) {
        int slots = 0;
        Set<PoolName> pools = new HashSet<>();
        Set<ServicePortName> inside = new HashSet<>();
        Set<ServicePortName> outside = new HashSet<>();
        for (Treatment treatment : graph.frontends().values()) {
            for (Pool pool : treatment.pools()) {
                if (pools.add(new PoolName(pool.owner(), pool.scope()))) {
                    slots += pool.endpoints().size();
                }
            }
            // Only policy Local drops: under Cluster no endpoint for this node is none at all.
            if (treatment.fromOutside() instanceof Disposition.Drop) {
                switch (treatment.kind()) {
                    case CLUSTER_IP -> inside.add(treatment.owner());
                    case LOAD_BALANCER_IP, EXTERNAL_IP, NODE_PORT -> outside.add(treatment.owner());
                }
            }
        }
        return new GraphCount(slots, inside.size(), outside.size());
    }
}
