package dev.pointsman.peers;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Cidr;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Oracle;
import dev.pointsman.packet.Outcome;
import dev.pointsman.packet.scenario.Arrival;
import dev.pointsman.packet.scenario.Expectation;
import dev.pointsman.packet.scenario.Fact;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Sync;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/// A scenario under the defaults of one mode of kube-proxy.
final class ModeScenario {
    private ModeScenario() {}

    /// The same objects with the settings of `mode`, and with what the oracle expects of each flow
    /// under these.
    static Scenario of(Scenario scenario, ProxyMode mode, List<Cidr> serviceRanges) {
        List<Scenario.Step> steps = new ArrayList<>();
        for (Scenario.Step step : scenario.steps()) {
            List<Fact> facts = new ArrayList<>();
            for (Fact fact : step.facts()) {
                facts.add(
                        fact instanceof Fact.Configuration(var settings)
                                ? new Fact.Configuration(mode.settings(settings, serviceRanges))
                                : fact);
            }
            steps.add(new Scenario.Step(step.line(), facts, step.expectations()));
        }
        Scenario configured = new Scenario(scenario.file(), scenario.title(), steps);
        List<Sync> syncs = configured.syncs(Arrival.AS_WRITTEN);
        List<Scenario.Step> expecting = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            Sync sync = syncs.get(i);
            Scenario.Step step = steps.get(i);
            expecting.add(
                    new Scenario.Step(
                            step.line(),
                            step.facts(),
                            step.expectations().stream().map(e -> expected(e, sync)).toList()));
        }
        return new Scenario(scenario.file(), scenario.title(), expecting);
    }

    private static Expectation expected(Expectation expectation, Sync sync) {
        return switch (expectation) {
            case Expectation.Ends(int line, Flow flow, _, _) -> {
                Oracle oracle = sync.oracle(flow.family());
                SortedSet<Outcome> outcomes = oracle.outcomes(flow).possible();
                boolean remembers =
                        outcomes.size() > 1
                                && oracle.treatment(flow)
                                        .filter(t -> t.affinity() instanceof Affinity.ClientIp)
                                        .isPresent();
                yield new Expectation.Ends(
                        line,
                        flow,
                        outcomes,
                        remembers ? Expectation.Choice.STICKY : Expectation.Choice.FREE);
            }
            case Expectation.Checked _, Expectation.Unchecked _ -> expectation;
        };
    }
}
