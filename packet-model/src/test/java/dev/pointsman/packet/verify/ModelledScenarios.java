package dev.pointsman.packet.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Outcome;
import dev.pointsman.packet.Outcomes;
import dev.pointsman.packet.netfilter.Fraction;
import dev.pointsman.packet.netfilter.Memory;
import dev.pointsman.packet.netfilter.Node;
import dev.pointsman.packet.netfilter.Path;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.ScenarioNode;
import dev.pointsman.packet.scenario.Arrival;
import dev.pointsman.packet.scenario.Expectation;
import dev.pointsman.packet.scenario.Expectation.Choice;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Sync;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Scenarios answered by the packet model over the rules of a backend.
public final class ModelledScenarios {
    private final Function<RuleGraph, Ruleset> rules;

    /// @param rules what a backend makes of a graph, as the readers read it
    public ModelledScenarios(Function<RuleGraph, Ruleset> rules) {
        this.rules = rules;
    }

    /// Follows every flow of `scenario` and wants for it what the oracle wants.
    public void follow(Scenario scenario) {
        follow(scenario, Set.of());
    }

    /// As [#follow(Scenario)], where flows of some lines must end otherwise, and at no endpoint.
    public void follow(Scenario scenario, Set<Integer> otherwise) {
        for (Sync sync : scenario.syncs(Arrival.AS_WRITTEN)) {
            Map<Family, Ruleset> written = new EnumMap<>(Family.class);
            sync.transitions()
                    .forEach(
                            (family, transition) ->
                                    written.put(family, rules.apply(transition.after())));
            for (Expectation expectation : sync.expectations()) {
                switch (expectation) {
                    case Expectation.Ends ends -> {
                        if (otherwise.contains(ends.line())) {
                            assertThat(answer(sync, written, ends).outcomes().keySet())
                                    .as("line %d: %s", ends.line(), ends.flow())
                                    .doesNotHaveAnyElementsOfTypes(Outcome.Delivered.class)
                                    .isNotEqualTo(
                                            chances(
                                                            sync.oracle(ends.flow().family())
                                                                    .outcomes(ends.flow()))
                                                    .keySet());
                        } else {
                            follow(sync, written, ends);
                        }
                    }
                    case Expectation.Checked _, Expectation.Unchecked _ -> {}
                }
            }
        }
    }

    private static void follow(Sync sync, Map<Family, Ruleset> written, Expectation.Ends ends) {
        Flow flow = ends.flow();
        ScenarioNode node = node(sync, flow);
        Ruleset ruleset = ruleset(written, flow);
        ScenarioNode.Answer answer = node.answer(ruleset, flow, Memory.blank());
        assertThat(answer.outcomes())
                .as("line %d: %s", ends.line(), flow)
                .isEqualTo(chances(sync.oracle(flow.family()).outcomes(flow)));
        if (ends.choice() == Choice.STICKY) {
            for (Path path : answer.paths()) {
                assertThat(
                                node.answer(ruleset, flow, path.memory().withoutConnections())
                                        .outcomes())
                        .as("line %d, again: %s", ends.line(), flow)
                        .isEqualTo(
                                new TreeMap<>(
                                        Map.of(ScenarioNode.outcome(path, flow), Fraction.ONE)));
            }
        }
    }

    private static ScenarioNode.Answer answer(
            Sync sync, Map<Family, Ruleset> written, Expectation.Ends ends) {
        Flow flow = ends.flow();
        return node(sync, flow).answer(ruleset(written, flow), flow, Memory.blank());
    }

    private static ScenarioNode node(Sync sync, Flow flow) {
        Sync.Transition transition = sync.transitions().get(flow.family());
        if (transition == null) {
            throw new AssertionError("nothing is planned for " + flow);
        }
        return new ScenarioNode(transition.after(), sync.cluster().node());
    }

    private static Ruleset ruleset(Map<Family, Ruleset> written, Flow flow) {
        Ruleset ruleset = written.get(flow.family());
        if (ruleset == null) {
            throw new AssertionError("no rules for " + flow);
        }
        return ruleset;
    }

    private static SortedMap<Outcome, Fraction> chances(Outcomes outcomes) {
        SortedMap<Outcome, Fraction> chances = new TreeMap<>();
        outcomes.shares()
                .forEach(
                        (outcome, share) ->
                                chances.put(outcome, Fraction.of(share, outcomes.total())));
        return chances;
    }

    /// Wants the rules after every sync of `scenario` proved.
    public void prove(Scenario scenario) {
        prove(scenario, UnaryOperator.identity());
    }

    /// As above, for a node that has none but its first address on the uplink, and the others on
    /// loopback.
    public void proveWithLoopback(Scenario scenario) {
        prove(scenario, ModelledScenarios::withLoopback);
    }

    private static AssumedNode withLoopback(AssumedNode node) {
        List<Node.Address> moved = new ArrayList<>();
        List<Node.Interface> interfaces = new ArrayList<>();
        for (Node.Interface device : node.node().interfaces().reversed()) {
            List<Node.Address> addresses = device.addresses();
            if (device.side() == Node.Side.UPLINK) {
                moved.addAll(addresses.subList(1, addresses.size()));
                addresses = List.of(addresses.getFirst());
            } else if (device.name().equals(Node.LOOPBACK)) {
                moved.addAll(addresses);
                addresses = moved;
            }
            interfaces.addFirst(new Node.Interface(device.name(), device.side(), addresses));
        }
        assertThat(moved).as("addresses on loopback").hasSizeGreaterThan(2);
        return node.with(interfaces, node.node().routes());
    }

    private void prove(Scenario scenario, UnaryOperator<AssumedNode> place) {
        for (Sync sync : scenario.syncs(Arrival.AS_WRITTEN)) {
            for (Sync.Transition transition : sync.transitions().values()) {
                RuleGraph graph = transition.after();
                NodeView view = sync.cluster().node();
                Proof proof =
                        new Verifier(
                                        graph,
                                        view,
                                        place.apply(AssumedNode.of(graph, view)),
                                        rules.apply(graph))
                                .verify(_ -> {});
                assertThat(proof.doubts()).as("line %d", sync.line()).isEmpty();
                assertThat(proof.disagreements()).as("line %d", sync.line()).isEmpty();
                assertThat(proof.classes()).isPositive();
            }
        }
    }
}
