package dev.pointsman.nftables;

import dev.pointsman.packet.read.NftReader;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Scenarios;
import dev.pointsman.packet.verify.ModelledScenarios;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What we render, read back as text and followed by the packet model, does what the oracle wants.
final class ScenarioModelTest {
    private static final ModelledScenarios MODEL =
            new ModelledScenarios(graph -> NftReader.read(Renderer.load(graph).text()));

    static List<Scenario> scenarios() {
        return Scenarios.all();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void the_model_of_the_rules_agrees_with_the_oracle(Scenario scenario) {
        MODEL.follow(scenario);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void the_rules_of_every_scenario_are_proved(Scenario scenario) {
        MODEL.prove(scenario);
    }

    /// A remote pod's packet comes in by another interface than the one with the address it
    /// dialled.
    @Test
    void a_node_port_is_proved_at_an_address_on_loopback() {
        MODEL.proveWithLoopback(
                Scenarios.named("remote-pod-uses-a-node-port-of-draining-endpoints.scenario"));
    }
}
