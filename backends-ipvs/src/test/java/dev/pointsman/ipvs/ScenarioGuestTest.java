package dev.pointsman.ipvs;

import dev.pointsman.guest.GuestTest;
import dev.pointsman.iptables.IptablesMode;
import dev.pointsman.packet.kernel.KernelScenarios;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Scenarios;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Real packets end as every scenario says.
@GuestTest
final class ScenarioGuestTest {

    /// Scenarios that cannot hold in this mode, with the reason (docs/backends/ipvs.md).
    private static final Map<String, String> EXCEPTIONS = Map.of();

    static List<Scenario> scenarios() {
        return Scenarios.all().stream()
                .filter(scenario -> !EXCEPTIONS.containsKey(scenario.file()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void packets_end_as_the_scenario_says(Scenario scenario) {
        KernelScenarios.playAll(
                List.of(scenario), new IpvsMode(IptablesMode.Choice.NFT)::dataplane);
    }
}
