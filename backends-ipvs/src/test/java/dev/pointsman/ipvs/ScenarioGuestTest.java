package dev.pointsman.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.guest.GuestTest;
import dev.pointsman.iptables.IptablesMode;
import dev.pointsman.packet.kernel.KernelScenarios;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Scenarios;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Real packets end as every scenario says, but for what IPVS cannot express.
@GuestTest
final class ScenarioGuestTest {
    private static final Limits LIMITS = new Limits();

    static List<Scenario> scenarios() {
        return Scenarios.all();
    }

    /// One that fails is played once more: a machine that stalls makes an answer late, but wrong
    /// rules are wrong again.
    @ParameterizedTest
    @MethodSource("scenarios")
    void packets_end_as_the_scenario_says(Scenario scenario) throws Exception {
        List<String> first = complaints(scenario);
        if (!first.isEmpty()) {
            System.out.println("played again after:\n" + String.join("\n", first));
            assertThat(complaints(scenario)).isEmpty();
        }
    }

    private static List<String> complaints(Scenario scenario) throws Exception {
        return LIMITS.complaints(
                scenario,
                KernelScenarios.misses(scenario, new IpvsMode(IptablesMode.Choice.NFT)::dataplane));
    }
}
