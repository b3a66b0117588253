package dev.pointsman.packet.kernel;

import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.Treatment;
import dev.pointsman.packet.Outcome;
import dev.pointsman.packet.scenario.Sync;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Which endpoints the clients of sticky ServicePorts have been given so far. More than one is
/// possible: where policies differ, one address may lead to endpoints that another does not have.
final class AffinityMemory {
    private record Tie(IpAddress client, ServicePortName service) {}

    private record AddressPort(IpAddress address, int port) {}

    private final Map<Tie, Set<AddressPort>> ties = new HashMap<>();

    /// Forgets endpoints that no list has any more.
    void keepOnly(Sync sync) {
        Map<ServicePortName, Set<AddressPort>> present = new HashMap<>();
        for (Sync.Transition transition : sync.transitions().values()) {
            for (Treatment treatment : transition.after().frontends().values()) {
                for (Pool pool : treatment.pools()) {
                    for (Endpoint endpoint : pool.endpoints()) {
                        present.computeIfAbsent(pool.owner(), _ -> new HashSet<>())
                                .add(new AddressPort(endpoint.address(), endpoint.port()));
                    }
                }
            }
        }
        ties.forEach(
                (tie, endpoints) ->
                        endpoints.retainAll(present.getOrDefault(tie.service(), Set.of())));
    }

    /// Those of `possible` that the client may be led to now: all, if it knows none of them.
    Set<Outcome> allowed(IpAddress client, ServicePortName service, Set<Outcome> possible) {
        Set<AddressPort> known = ties.getOrDefault(new Tie(client, service), Set.of());
        Set<Outcome> bound = new HashSet<>();
        for (Outcome outcome : possible) {
            if (outcome instanceof Outcome.Delivered(var address, var port, _)
                    && known.contains(new AddressPort(address, port))) {
                bound.add(outcome);
            }
        }
        return bound.isEmpty() ? possible : bound;
    }

    void learn(IpAddress client, ServicePortName service, Outcome outcome) {
        if (outcome instanceof Outcome.Delivered(var address, var port, _)) {
            ties.computeIfAbsent(new Tie(client, service), _ -> new HashSet<>())
                    .add(new AddressPort(address, port));
        }
    }
}
