package dev.pointsman.iptables;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.Sources;
import dev.pointsman.graph.Treatment;
import dev.pointsman.iptables.Match.Sense;
import java.util.ArrayList;
import java.util.List;

/// The rules that stand for one Frontend in the leaves of the trees.
final class FrontendPart {
    private final Family family;
    private final Frontend frontend;
    private final Treatment treatment;

    FrontendPart(Family family, Frontend frontend, Treatment treatment) {
        this.family = family;
        this.frontend = frontend;
        this.treatment = treatment;
    }

    /// Where its packets go in the nat table; nowhere when nobody answers.
    List<Rule> translation() {
        if (treatment.pools().isEmpty()) {
            return List.of();
        }
        String name = treatment.owner().toString();
        return switch (treatment.kind()) {
            case CLUSTER_IP -> List.of(to(internalChain(), name + " cluster IP"));
            case EXTERNAL_IP ->
                    List.of(to(ChainNames.external(treatment.owner()), name + " external IP"));
            case NODE_PORT -> List.of(to(ChainNames.external(treatment.owner()), name));
            case LOAD_BALANCER_IP ->
                    List.of(
                            switch (treatment.sources()) {
                                case Sources.Everyone _ ->
                                        to(
                                                ChainNames.external(treatment.owner()),
                                                name + " loadbalancer IP");
                                case Sources.Only _ ->
                                        to(
                                                ChainNames.sources(treatment.owner()),
                                                name + " loadbalancer IP");
                            });
        };
    }

    /// Where packets go that are treated as from outside, although their source is in the range of
    /// pods.
    List<Rule> translationFromOutside() {
        String name = treatment.owner().toString();
        return List.of(
                switch (treatment.fromOutside()) {
                    case Disposition.Balance(var pool, _) ->
                            to(ChainNames.pool(treatment.owner(), pool.scope()), name);
                    // The filter table drops or refuses what nobody translated.
                    case Disposition.Drop _, Disposition.Reject _ ->
                            rule(new Target.Accept(), name + " has no local endpoints");
                });
    }

    /// What becomes, in the filter table, of its packets that were not translated.
    List<Rule> verdicts() {
        String name = treatment.owner().toString();
        boolean refused = treatment.fromHost() instanceof Disposition.Reject;
        String nobody = name + " has no endpoints";
        List<Rule> rules = new ArrayList<>();
        switch (treatment.sources()) {
            case Sources.Everyone _ -> {
                if (refused) {
                    rules.add(rule(new Target.Reject(family), nobody));
                } else if (!treatment.isOpen()) {
                    rules.add(rule(new Target.Drop(), name + " has no local endpoints"));
                }
            }
            case Sources.Only(var ranges) -> {
                if (refused) {
                    for (Cidr range : ranges) {
                        rules.add(
                                rule(new Target.Reject(family), nobody)
                                        .under(List.of(new Match.Source(Sense.IS, range))));
                    }
                }
                rules.add(
                        rule(
                                new Target.Drop(),
                                name
                                        + " traffic not accepted by "
                                        + ChainNames.sources(treatment.owner())));
            }
        }
        return rules;
    }

    /// What refuses packets for other ports of a cluster IP.
    List<Rule> guard() {
        if (frontend instanceof Frontend.Address(var address, _, _)
                && treatment.kind() == Treatment.Kind.CLUSTER_IP) {
            return List.of(
                    Rule.of(
                            new Target.Reject(family),
                            new Match.Destination(Sense.IS, Cidr.of(address)),
                            new Match.Comment("traffic to invalid ports of a cluster IP")));
        }
        return List.of();
    }

    /// The chain of the pool that a cluster IP leads to; it is one for all origins.
    private String internalChain() {
        Pool.Scope scope = treatment.pools().getFirst().scope();
        return ChainNames.pool(treatment.owner(), scope);
    }

    private Rule to(String chain, String remark) {
        return rule(new Target.Jump(chain), remark);
    }

    private Rule rule(Target target, String remark) {
        return Rule.of(target).under(matches(frontend, remark));
    }

    /// What a packet for `frontend` is.
    static List<Match> matches(Frontend frontend, String remark) {
        List<Match> matches = new ArrayList<>(4);
        Protocol protocol = frontend.protocol();
        switch (frontend) {
            case Frontend.Address(var address, _, _) ->
                    matches.add(new Match.Destination(Sense.IS, Cidr.of(address)));
            case Frontend.NodePort _ -> {}
        }
        matches.add(new Match.ProtocolIs(protocol));
        matches.add(new Match.Comment(remark));
        matches.add(Match.DestinationPort.of(protocol, frontend.port()));
        return matches;
    }
}
