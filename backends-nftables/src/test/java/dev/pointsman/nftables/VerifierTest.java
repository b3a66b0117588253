package dev.pointsman.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.read.NftReader;
import dev.pointsman.packet.scenario.Arrival;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Scenarios;
import dev.pointsman.packet.scenario.Sync;
import dev.pointsman.packet.verify.Proof;
import dev.pointsman.packet.verify.Verifier;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class VerifierTest {
    static List<Scenario> scenarios() {
        return Scenarios.all();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void the_rules_of_every_scenario_are_proved(Scenario scenario) {
        for (Sync sync : scenario.syncs(Arrival.AS_WRITTEN)) {
            for (Sync.Transition transition : sync.transitions().values()) {
                RuleGraph graph = transition.after();
                Proof proof =
                        new Verifier(
                                        graph,
                                        sync.cluster().node(),
                                        NftReader.read(Renderer.load(graph).text()))
                                .verify(_ -> {});
                assertThat(proof.doubts()).isEmpty();
                assertThat(proof.disagreements()).as("line %d", sync.line()).isEmpty();
                assertThat(proof.classes()).isPositive();
            }
        }
    }
}
