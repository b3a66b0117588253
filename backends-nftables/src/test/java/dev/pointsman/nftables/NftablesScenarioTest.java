package dev.pointsman.nftables;

import dev.pointsman.netlink.KernelTest;
import dev.pointsman.packet.kernel.KernelScenarios;
import dev.pointsman.packet.scenario.Scenarios;

/// Every scenario, which the oracle answers from the graph, is answered alike by real packets
/// through the rules that were written over netlink.
class NftablesScenarioTest {
    @KernelTest
    void real_packets_meet_what_every_scenario_says() {
        KernelScenarios.playAll(Scenarios.all(), new NftablesMode()::dataplane);
    }
}
