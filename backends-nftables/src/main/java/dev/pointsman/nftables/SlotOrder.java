package dev.pointsman.nftables;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.Shape;
import dev.pointsman.graph.Treatment;
import dev.pointsman.netlink.NftElement;
import dev.pointsman.netlink.NftValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The order in which the kernel holds the endpoints of each pool. A process that starts anew sorts
/// them, while the one before had them as they came; the order means nothing, and to change it
/// would be work for nothing.
final class SlotOrder {

    private record PoolName(ServicePortName owner, Pool.Scope scope) {
        static PoolName of(Pool pool) {
            return new PoolName(pool.owner(), pool.scope());
        }
    }

    private final Map<String, Map<ElementKey, NftValue>> values = new HashMap<>();
    private final Map<PoolName, Pool> orders = new HashMap<>();
    private final KernelTable found;

    private SlotOrder(KernelTable found) {
        this.found = found;
    }

    /// The graph `desired` with every pool in the kernel's order, where the kernel holds just that
    /// pool, and in the same order for all its Frontends.
    static RuleGraph adopt(RuleGraph desired, KernelTable found) {
        return new SlotOrder(found).adopt(desired);
    }

    private RuleGraph adopt(RuleGraph desired) {
        desired.frontends().forEach(this::look);
        RuleGraph adopted = desired;
        for (Map.Entry<Frontend, Treatment> entry : desired.frontends().entrySet()) {
            Treatment treatment = inOrder(entry.getValue());
            if (!treatment.equals(entry.getValue())) {
                adopted = adopted.with(entry.getKey(), treatment);
            }
        }
        return adopted;
    }

    private void look(Frontend frontend, Treatment treatment) {
        List<Pool> pools = treatment.pools();
        for (int i = 0; i < pools.size(); i++) {
            Pool pool = pools.get(i);
            Pool held = held(frontend, treatment, pool, i == 0 ? 0 : Sets.SECOND_POOL).orElse(pool);
            // Frontends that disagree must be rewritten in any order: then in the desired one.
            orders.merge(PoolName.of(pool), held, (a, b) -> a.equals(b) ? a : pool);
        }
    }

    private Optional<Pool> held(Frontend frontend, Treatment treatment, Pool pool, int firstSlot) {
        Map<NftValue, Endpoint> endpoints = new HashMap<>();
        NamedSet map;
        byte[] prefix;
        int slot;
        switch (treatment.affinity()) {
            case Affinity.None _ -> {
                map = Sets.Tables.of(Shape.of(frontend, treatment).form()).endpoints();
                prefix = KeyBytes.of(frontend);
                slot = firstSlot;
                for (Endpoint endpoint : pool.endpoints()) {
                    endpoints.put(
                            new NftValue.Data(
                                    KeyBytes.endpoint(endpoint.address(), endpoint.port())),
                            endpoint);
                }
            }
            case Affinity.ClientIp _ -> {
                map = StickyPart.choices(pool.scope(), pool.owner());
                prefix = new byte[0];
                slot = 0;
                for (Endpoint endpoint : pool.endpoints()) {
                    endpoints.put(
                            new NftValue.Goto(StickyPart.memoryName(pool.owner(), endpoint)),
                            endpoint);
                }
            }
        }
        List<Endpoint> order = new ArrayList<>();
        for (int i = 0; i < pool.endpoints().size(); i++) {
            NftValue value =
                    values(map.name()).get(new ElementKey(KeyBytes.slot(prefix, slot + i)));
            Endpoint endpoint = value == null ? null : endpoints.get(value);
            if (endpoint == null) {
                return Optional.empty();
            }
            order.add(endpoint);
        }
        return new HashSet<>(order).size() == order.size()
                ? Optional.of(new Pool(pool.owner(), pool.scope(), order))
                : Optional.empty();
    }

    private Map<ElementKey, NftValue> values(String map) {
        return values.computeIfAbsent(
                map,
                _ -> {
                    Map<ElementKey, NftValue> content = new HashMap<>();
                    for (NftElement element : found.elements().getOrDefault(map, List.of())) {
                        content.put(Contents.identity(element), element.value());
                    }
                    return content;
                });
    }

    private Treatment inOrder(Treatment treatment) {
        return new Treatment(
                treatment.owner(),
                treatment.kind(),
                treatment.sources(),
                treatment.affinity(),
                inOrder(treatment.fromPod()),
                inOrder(treatment.fromHost()),
                inOrder(treatment.fromOutside()),
                treatment.scheduler());
    }

    private Disposition inOrder(Disposition disposition) {
        return switch (disposition) {
            case Disposition.Balance(var pool, var source) ->
                    new Disposition.Balance(orders.getOrDefault(PoolName.of(pool), pool), source);
            case Disposition.Reject _, Disposition.Drop _ -> disposition;
        };
    }
}
