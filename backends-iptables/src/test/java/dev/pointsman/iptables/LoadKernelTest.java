package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.NftOwnCommits;
import dev.pointsman.netlink.TestNamespace;
import dev.pointsman.packet.scenario.Arrival;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Scenarios;
import dev.pointsman.packet.scenario.Sync;

/// The real programs take what we write, and print it as we compare it.
final class LoadKernelTest {

    @KernelTest(tools = {"iptables-nft-restore", "ip6tables-nft-restore"})
    void iptables_nft_holds_what_every_scenario_wrote() throws Exception {
        checkAll(IptablesMode.Choice.NFT);
    }

    @KernelTest(tools = {"iptables-legacy-restore", "ip6tables-legacy-restore"})
    void iptables_legacy_holds_what_every_scenario_wrote() throws Exception {
        checkAll(IptablesMode.Choice.LEGACY);
    }

    private static void checkAll(IptablesMode.Choice choice) throws Exception {
        try (TestNamespace node = TestNamespace.create()) {
            node.namespace()
                    .call(
                            () -> {
                                for (Scenario scenario : Scenarios.all()) {
                                    check(choice, scenario);
                                }
                                return true;
                            });
        }
    }

    private static void check(IptablesMode.Choice choice, Scenario scenario) {
        for (Family family : Family.values()) {
            RuleGraph held = RuleGraph.nothing(family);
            try (var dataplane = new IptablesDataplane(family, choice, new NftOwnCommits())) {
                for (Sync sync : scenario.syncs(Arrival.AS_WRITTEN)) {
                    Sync.Transition step = sync.transitions().get(family);
                    if (step == null) {
                        continue;
                    }
                    String where = scenario.file() + ":" + sync.line();
                    Transaction change = dataplane.render(held, Delta.between(held, step.after()));
                    assertThat(dataplane.commit(change))
                            .as(where)
                            .isInstanceOf(Commit.Applied.class);
                    held = step.after();
                    assertThat(dataplane.repair(held).text()).as(where).isEmpty();
                    assertThat(dataplane.condition())
                            .as(where)
                            .isEqualTo(Dataplane.Condition.INTACT);
                }
                RuleGraph nothing = RuleGraph.nothing(family);
                dataplane.commit(dataplane.render(held, Delta.between(held, nothing)));
                assertThat(dataplane.repair(nothing).text()).as(scenario.file()).isEmpty();
            }
        }
    }
}
