package dev.pointsman.packet.verify;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.Treatment;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Oracle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The addresses of each Service port with affinity: a client that is bound at one of them is bound
/// at all (behaviour document 2.11).
final class Siblings {
    private final Map<ServicePortName, List<Target>> targets = new HashMap<>();

    Siblings(RuleGraph graph, NodeView view, Oracle oracle) {
        for (Map.Entry<Frontend, Treatment> entry : graph.frontends().entrySet()) {
            if (entry.getValue().affinity() instanceof Affinity.ClientIp) {
                target(entry.getKey(), graph.family(), view, oracle)
                        .ifPresent(
                                target ->
                                        targets.computeIfAbsent(
                                                        entry.getValue().owner(),
                                                        _ -> new ArrayList<>())
                                                .add(target));
            }
        }
    }

    private static Optional<Target> target(
            Frontend frontend, Family family, NodeView view, Oracle oracle) {
        return switch (frontend) {
            case Frontend.Address(var address, var protocol, int port) ->
                    Optional.of(new Target(address, protocol, port));
            case Frontend.NodePort(var protocol, int port) ->
                    view.addresses().stream()
                            .filter(address -> address.family() == family)
                            .map(address -> new Target(address, protocol, port))
                            .filter(target -> isNodePort(target, oracle))
                            .findFirst();
        };
    }

    private static boolean isNodePort(Target target, Oracle oracle) {
        IpAddress anybody = target.destination();
        return oracle.treatment(target.from(new SourceClasses.Sender(Flow.Origin.OUTSIDE, anybody)))
                .filter(treatment -> treatment.kind() == Treatment.Kind.NODE_PORT)
                .isPresent();
    }

    /// The next address of `owner` after `target`, all of them being in a ring.
    Optional<Target> after(Target target, ServicePortName owner) {
        List<Target> ring = targets.getOrDefault(owner, List.of());
        return ring.isEmpty()
                ? Optional.empty()
                : Optional.of(ring.get((ring.indexOf(target) + 1) % ring.size()))
                        .filter(other -> !other.equals(target));
    }
}
