package dev.pointsman.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Outcome;
import dev.pointsman.packet.Outcomes;
import dev.pointsman.packet.netfilter.Fraction;
import dev.pointsman.packet.netfilter.Memory;
import dev.pointsman.packet.netfilter.Path;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.ScenarioNode;
import dev.pointsman.packet.read.NftReader;
import dev.pointsman.packet.scenario.Arrival;
import dev.pointsman.packet.scenario.Expectation;
import dev.pointsman.packet.scenario.Expectation.Choice;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Scenarios;
import dev.pointsman.packet.scenario.Sync;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What we render, read back as text and followed by the packet model, does what the oracle wants.
final class ScenarioModelTest {
    static List<Scenario> scenarios() {
        return Scenarios.all();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void the_model_of_the_rules_agrees_with_the_oracle(Scenario scenario) {
        for (Sync sync : scenario.syncs(Arrival.AS_WRITTEN)) {
            Map<Family, Ruleset> rules = new EnumMap<>(Family.class);
            sync.transitions()
                    .forEach(
                            (family, transition) ->
                                    rules.put(
                                            family,
                                            NftReader.read(
                                                    Renderer.load(transition.after()).text())));
            for (Expectation expectation : sync.expectations()) {
                switch (expectation) {
                    case Expectation.Ends ends -> check(sync, rules, ends);
                    case Expectation.Checked _, Expectation.Unchecked _ -> {}
                }
            }
        }
    }

    private static void check(Sync sync, Map<Family, Ruleset> rules, Expectation.Ends ends) {
        Flow flow = ends.flow();
        Ruleset ruleset = rules.getOrDefault(flow.family(), new Ruleset(List.of(), List.of()));
        Sync.Transition transition = sync.transitions().get(flow.family());
        if (transition == null) {
            throw new AssertionError("no rules for " + flow);
        }
        ScenarioNode node = new ScenarioNode(transition.after(), sync.cluster().node());
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

    private static SortedMap<Outcome, Fraction> chances(Outcomes outcomes) {
        SortedMap<Outcome, Fraction> chances = new TreeMap<>();
        outcomes.shares()
                .forEach(
                        (outcome, share) ->
                                chances.put(outcome, Fraction.of(share, outcomes.total())));
        return chances;
    }
}
