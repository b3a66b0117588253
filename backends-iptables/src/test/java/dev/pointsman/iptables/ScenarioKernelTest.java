package dev.pointsman.iptables;

import dev.pointsman.netlink.KernelTest;
import dev.pointsman.packet.kernel.KernelScenarios;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Scenarios;
import java.util.List;
import java.util.Map;

/// Real packets end as every scenario says.
final class ScenarioKernelTest {

    /// Scenarios that cannot hold in this mode, with the reason (docs/backends/iptables.md).
    private static final Map<String, String> EXCEPTIONS = Map.of();

    @KernelTest(tools = {"iptables-nft-restore", "ip6tables-nft-restore"})
    void every_scenario_holds_on_iptables_nft() {
        playAll(IptablesMode.Choice.NFT);
    }

    @KernelTest(tools = {"iptables-legacy-restore", "ip6tables-legacy-restore"})
    void every_scenario_holds_on_iptables_legacy() {
        playAll(IptablesMode.Choice.LEGACY);
    }

    private static void playAll(IptablesMode.Choice choice) {
        List<Scenario> scenarios =
                Scenarios.all().stream()
                        .filter(scenario -> !EXCEPTIONS.containsKey(scenario.file()))
                        .toList();
        KernelScenarios.playAll(scenarios, new IptablesMode(choice)::dataplane);
    }
}
