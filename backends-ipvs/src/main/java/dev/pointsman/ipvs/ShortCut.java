package dev.pointsman.ipvs;

import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Treatment;
import java.util.Optional;

/// The way of pods and processes of this node past the pool of an external address whose policy is
/// Local: their packets are translated to a virtual server that has all endpoints. That is the one
/// of the cluster IP, or, where the internal policy is Local too, another one at the cluster IP, at
/// a port that no client knows.
///
/// @param server where the packets are led
/// @param disposition what it has
record ShortCut(ServerKey server, Disposition disposition) {
    /// Flips a port into the other half of all ports, so that two ports never meet.
    private static final int OTHER_HALF = 0x8000;

    /// Whether packets of this node's pods or processes are treated otherwise than others.
    static boolean isNeeded(Treatment treatment) {
        Disposition host = treatment.fromHost();
        return host instanceof Disposition.Balance(Pool all, _)
                && !(treatment.fromOutside() instanceof Disposition.Balance(Pool some, _)
                        && all.equals(some));
    }

    /// The short cut of an external address; none when it needs none, or when its Service holds no
    /// cluster IP or has a port of its own where the second virtual server would be.
    static Optional<ShortCut> of(RuleGraph graph, Treatment treatment) {
        if (!isNeeded(treatment)) {
            return Optional.empty();
        }
        for (Frontend frontend : graph.frontendsOf(treatment.owner())) {
            Treatment other = graph.frontends().get(frontend);
            if (frontend instanceof Frontend.Address address
                    && other != null
                    && other.kind() == Treatment.Kind.CLUSTER_IP) {
                return at(graph, address, other, treatment.fromHost());
            }
        }
        return Optional.empty();
    }

    private static Optional<ShortCut> at(
            RuleGraph graph, Frontend.Address clusterIp, Treatment internal, Disposition all) {
        if (internal.fromOutside() instanceof Disposition.Balance(Pool pool, _)
                && pool.scope() == Pool.Scope.CLUSTER) {
            return Optional.of(
                    new ShortCut(
                            new ServerKey(
                                    clusterIp.address(), clusterIp.protocol(), clusterIp.port()),
                            internal.fromOutside()));
        }
        int port = clusterIp.port() ^ OTHER_HALF;
        Frontend partner = new Frontend.Address(clusterIp.address(), clusterIp.protocol(), port);
        return port == 0 || graph.frontends().containsKey(partner)
                ? Optional.empty()
                : Optional.of(
                        new ShortCut(
                                new ServerKey(clusterIp.address(), clusterIp.protocol(), port),
                                all));
    }

    /// The short cut of an external address that needs a virtual server of its own.
    static Optional<ShortCut> ownServer(RuleGraph graph, Treatment treatment) {
        return of(graph, treatment)
                .filter(
                        way ->
                                !graph.frontends()
                                        .containsKey(
                                                new Frontend.Address(
                                                        way.server().address(),
                                                        way.server().protocol(),
                                                        way.server().port())));
    }

    /// The Frontend whose port of its own can take away the place of a second virtual server of
    /// `frontend`, and the other way round.
    static Frontend partner(Frontend.Address frontend) {
        return new Frontend.Address(
                frontend.address(), frontend.protocol(), frontend.port() ^ OTHER_HALF);
    }
}
