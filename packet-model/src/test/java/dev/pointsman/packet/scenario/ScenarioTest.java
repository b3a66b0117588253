package dev.pointsman.packet.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Family;
import dev.pointsman.packet.Oracle;
import dev.pointsman.packet.Outcomes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ScenarioTest {

    static List<Scenario> scenarios() {
        return Scenarios.all();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void the_oracle_gives_the_expected_answers(Scenario scenario) {
        check(scenario, Arrival.AS_WRITTEN);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void the_order_of_services_and_endpoints_does_not_matter(Scenario scenario) {
        check(scenario, Arrival.REVERSED);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void services_may_arrive_one_by_one(Scenario scenario) {
        check(scenario, Arrival.ONE_BY_ONE);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void deltas_lead_from_sync_to_sync_and_nothing_is_left_at_the_end(Scenario scenario) {
        for (Arrival arrival : Arrival.values()) {
            List<Sync> syncs = scenario.syncs(arrival);
            for (Sync sync : syncs) {
                for (Sync.Transition transition : sync.transitions().values()) {
                    assertThat(transition.delta().applyTo(transition.before()))
                            .as("%s:%d", scenario.file(), sync.line())
                            .isEqualTo(transition.after());
                }
            }
            for (Sync.Transition last : syncs.getLast().transitions().values()) {
                assertThat(last.after().frontends()).as(scenario.file()).isEmpty();
                assertThat(last.after().healthChecks()).as(scenario.file()).isEmpty();
                assertThat(last.after().shapes()).as(scenario.file()).isEmpty();
            }
        }
    }

    @Test
    void every_scenario_shows_something_of_its_own() {
        Set<String> titles = new HashSet<>();
        for (Scenario scenario : Scenarios.all()) {
            assertThat(titles.add(scenario.title())).as(scenario.file()).isTrue();
            assertThat(scenario.steps())
                    .as(scenario.file())
                    .allSatisfy(step -> assertThat(step.expectations()).isNotEmpty());
        }
    }

    private static void check(Scenario scenario, Arrival arrival) {
        for (Sync sync : scenario.syncs(arrival)) {
            for (Expectation expectation : sync.expectations()) {
                check(scenario.file() + ":" + expectation.line(), sync, expectation);
            }
        }
    }

    private static void check(String where, Sync sync, Expectation expectation) {
        switch (expectation) {
            case Expectation.Ends ends -> checkFlow(where, sync, ends);
            case Expectation.Checked(_, var service, var check) -> {
                for (Sync.Transition transition : sync.transitions().values()) {
                    assertThat(transition.after().healthChecks())
                            .as(where)
                            .containsEntry(service, check);
                }
            }
            case Expectation.Unchecked(_, var service) -> {
                for (Sync.Transition transition : sync.transitions().values()) {
                    assertThat(transition.after().healthChecks())
                            .as(where)
                            .doesNotContainKey(service);
                }
            }
        }
    }

    private static void checkFlow(String where, Sync sync, Expectation.Ends expected) {
        Family family = expected.flow().family();
        Oracle oracle = sync.oracle(family);
        Outcomes outcomes = oracle.outcomes(expected.flow());
        assertThat(outcomes.possible())
                .as("%s: %s", where, expected.flow())
                .isEqualTo(expected.outcomes());
        assertThat(outcomes.shares().values()).as(where).containsOnly(1);
        assertThat(outcomes.total()).as(where).isEqualTo(expected.outcomes().size());

        boolean remembers =
                outcomes.possible().size() > 1
                        && oracle.treatment(expected.flow())
                                .filter(t -> t.affinity() instanceof Affinity.ClientIp)
                                .isPresent();
        assertThat(expected.choice())
                .as("%s: sticky where the Service has affinity, and only there", where)
                .isEqualTo(remembers ? Expectation.Choice.STICKY : Expectation.Choice.FREE);
    }
}
