package dev.pointsman.iptables;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Disposition.SourceAddress;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.Sources;
import dev.pointsman.graph.Treatment;
import dev.pointsman.iptables.Match.Sense;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// The chains of one ServicePort: one for each of its pools, one for traffic to its external
/// addresses, one for its source ranges, and with affinity one for each endpoint.
final class PortPart {
    // A remark on every endpoint of a large Service would be most of the ruleset.
    private static final int REMARKED_ENDPOINTS = 50;

    private final Family family;
    private final NodePart node;
    private final ServicePortName owner;
    private final SortedMap<Frontend, Treatment> frontends = new TreeMap<>();
    private final Subject subject;

    /// @param graph which may have nothing of `owner`; then there are no chains
    PortPart(RuleGraph graph, NodePart node, ServicePortName owner) {
        family = graph.family();
        this.node = node;
        this.owner = owner;
        subject = new Subject.Service(owner.service());
        for (Frontend frontend : graph.frontendsOf(owner)) {
            Treatment treatment = graph.frontends().get(frontend);
            if (treatment != null) {
                frontends.put(frontend, treatment);
            }
        }
    }

    /// Each chain after those it leads to.
    void write(Consumer<Chain> out) {
        Map<Pool.Scope, Pool> pools = new EnumMap<>(Pool.Scope.class);
        TreeSet<Endpoint> remembered = new TreeSet<>();
        for (Treatment treatment : frontends.values()) {
            for (Pool pool : treatment.pools()) {
                pools.put(pool.scope(), pool);
                switch (treatment.affinity()) {
                    case Affinity.None _ -> {}
                    case Affinity.ClientIp _ -> remembered.addAll(pool.endpoints());
                }
            }
        }
        remembered.forEach(endpoint -> out.accept(endpointChain(endpoint)));
        pools.values().forEach(pool -> out.accept(poolChain(pool)));
        externals().ifPresent(treatment -> out.accept(externalChain(treatment)));
        ranged().ifPresent(ranges -> out.accept(sourcesChain(ranges)));
    }

    private Optional<Treatment> externals() {
        return frontends.values().stream()
                .filter(treatment -> treatment.kind() != Treatment.Kind.CLUSTER_IP)
                .filter(treatment -> !treatment.pools().isEmpty())
                .findFirst();
    }

    private Optional<Sources.Only> ranged() {
        return frontends.values().stream()
                .filter(treatment -> !treatment.pools().isEmpty())
                .map(Treatment::sources)
                .filter(Sources.Only.class::isInstance)
                .map(Sources.Only.class::cast)
                .findFirst();
    }

    private Chain endpointChain(Endpoint endpoint) {
        String name = ChainNames.endpoint(owner, endpoint);
        return chain(
                name,
                List.of(
                        Rule.of(
                                new Target.Dnat(endpoint),
                                new Match.ProtocolIs(owner.protocol()),
                                new Match.Comment(owner.toString()),
                                new Match.RememberOn(name, family))));
    }

    private Chain poolChain(Pool pool) {
        List<Rule> rules = new ArrayList<>();
        frontends.forEach((frontend, treatment) -> masquerade(pool, frontend, treatment, rules));
        // Slots are other backends' concern: a chain is written as a whole, and sorted it is the
        // same after every history.
        List<Endpoint> endpoints = pool.endpoints().stream().sorted().toList();
        Affinity affinity = affinity();
        switch (affinity) {
            case Affinity.None _ -> {}
            case Affinity.ClientIp(int seconds) -> {
                for (Endpoint endpoint : endpoints) {
                    String chain = ChainNames.endpoint(owner, endpoint);
                    rules.add(
                            new Rule(
                                    List.of(
                                            new Match.Comment(owner + " -> " + endpoint),
                                            new Match.RememberedOn(chain, seconds, family)),
                                    new Target.Jump(chain)));
                }
            }
        }
        for (int i = 0; i < endpoints.size(); i++) {
            rules.add(pick(endpoints.get(i), endpoints.size() - i, endpoints.size(), affinity));
        }
        return chain(ChainNames.pool(owner, pool.scope()), rules);
    }

    private Rule pick(Endpoint endpoint, int left, int all, Affinity affinity) {
        List<Match> matches = new ArrayList<>();
        Target target =
                switch (affinity) {
                    case Affinity.None _ -> {
                        matches.add(new Match.ProtocolIs(owner.protocol()));
                        yield new Target.Dnat(endpoint);
                    }
                    case Affinity.ClientIp _ ->
                            new Target.Jump(ChainNames.endpoint(owner, endpoint));
                };
        if (all <= REMARKED_ENDPOINTS) {
            matches.add(new Match.Comment(owner + " -> " + endpoint));
        }
        if (left > 1) {
            matches.add(new Match.OneIn(left));
        }
        return new Rule(matches, target);
    }

    private Affinity affinity() {
        return frontends.values().stream()
                .map(Treatment::affinity)
                .findFirst()
                .orElse(new Affinity.None());
    }

    /// Cluster IP traffic is marked in the pool's chain, by the address it is for; other traffic
    /// comes marked (behaviour document, trap 3).
    private void masquerade(Pool pool, Frontend frontend, Treatment treatment, List<Rule> rules) {
        if (treatment.kind() != Treatment.Kind.CLUSTER_IP
                || !(treatment.fromHost() instanceof Disposition.Balance(var own, var host))
                || own.scope() != pool.scope()) {
            return;
        }
        SourceAddress pod = source(treatment.fromPod());
        switch (host) {
            case KEEP -> require(pod == SourceAddress.KEEP, frontend);
            case MASQUERADE -> {
                List<Match> unlessFromPods =
                        switch (pod) {
                            case MASQUERADE -> List.of();
                            case KEEP -> node.fromPods(Sense.IS_NOT);
                        };
                require(pod == SourceAddress.MASQUERADE || !unlessFromPods.isEmpty(), frontend);
                rules.add(
                        Rule.of(new Target.Jump(ChainNames.MARK_MASQ))
                                .under(FrontendPart.matches(frontend, owner + " cluster IP"))
                                .under(unlessFromPods));
            }
        }
        require(treatment.fromOutside().equals(treatment.fromHost()), frontend);
    }

    private static SourceAddress source(Disposition disposition) {
        return switch (disposition) {
            case Disposition.Balance(_, var source) -> source;
            case Disposition.Reject _, Disposition.Drop _ -> SourceAddress.KEEP;
        };
    }

    private Chain externalChain(Treatment treatment) {
        List<Rule> rules = new ArrayList<>();
        if (treatment.fromPod().equals(treatment.fromHost())
                && treatment.fromOutside().equals(treatment.fromHost())) {
            balance(
                    treatment.fromHost(),
                    List.of(),
                    new Match.Comment("masquerade traffic for " + owner + " external destinations"),
                    List.of(),
                    rules);
            return chain(ChainNames.external(owner), rules);
        }
        if (!treatment.fromPod().equals(treatment.fromOutside())) {
            List<Match> pods = node.fromPods(Sense.IS);
            Match remark = new Match.Comment("pod traffic for " + owner + " external destinations");
            balance(treatment.fromPod(), pods, remark, List.of(remark), rules);
        }
        balance(
                treatment.fromHost(),
                List.of(new Match.SourceIsLocal()),
                new Match.Comment(
                        "masquerade LOCAL traffic for " + owner + " external destinations"),
                List.of(
                        new Match.Comment(
                                "route LOCAL traffic for " + owner + " external destinations")),
                rules);
        balance(
                treatment.fromOutside(),
                List.of(),
                new Match.Comment("masquerade traffic for " + owner + " external destinations"),
                List.of(),
                rules);
        return chain(ChainNames.external(owner), rules);
    }

    /// What becomes of packets that meet `origin`.
    private void balance(
            Disposition disposition,
            List<Match> origin,
            Match marking,
            List<Match> routing,
            List<Rule> rules) {
        switch (disposition) {
            case Disposition.Balance(var pool, var source) -> {
                switch (source) {
                    case KEEP -> {}
                    case MASQUERADE ->
                            rules.add(
                                    Rule.of(new Target.Jump(ChainNames.MARK_MASQ), marking)
                                            .under(origin));
                }
                rules.add(
                        new Rule(routing, new Target.Jump(ChainNames.pool(owner, pool.scope())))
                                .under(origin));
            }
            // The filter table drops it, unless a node port with the same number took it first.
            case Disposition.Drop _ ->
                    rules.add(
                            Rule.of(
                                            new Target.Accept(),
                                            new Match.Comment(
                                                    "other traffic to "
                                                            + owner
                                                            + " will be dropped by "
                                                            + ChainNames.SERVICES))
                                    .under(origin));
            case Disposition.Reject _ ->
                    throw new IllegalArgumentException(
                            owner + " is refused to some and answered to others");
        }
    }

    private Chain sourcesChain(Sources.Only sources) {
        List<Rule> rules = new ArrayList<>();
        for (Cidr range : sources.ranges()) {
            rules.add(
                    Rule.of(
                            new Target.Jump(ChainNames.external(owner)),
                            new Match.Source(Sense.IS, range),
                            new Match.Comment(owner + " loadbalancer IP")));
        }
        rules.add(
                Rule.of(
                        new Target.Accept(),
                        new Match.Comment(
                                "other traffic to "
                                        + owner
                                        + " will be dropped by "
                                        + ChainNames.SERVICES)));
        return chain(ChainNames.sources(owner), rules);
    }

    private void require(boolean holds, Frontend frontend) {
        if (!holds) {
            throw new IllegalArgumentException(
                    owner + " at " + frontend + ": iptables rules cannot express its treatment");
        }
    }

    private Chain chain(String name, List<Rule> rules) {
        return Chain.of(Table.NAT, name, rules, subject);
    }
}
