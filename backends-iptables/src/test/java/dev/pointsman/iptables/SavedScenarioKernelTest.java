package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.NftOwnCommits;
import dev.pointsman.netlink.TestNamespace;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.read.IptablesSaveReader;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Scenarios;
import dev.pointsman.packet.verify.ModelledScenarios;

/// What the kernel lists once our rules are loaded is proved as what we wrote is.
final class SavedScenarioKernelTest {
    @KernelTest(tools = {"iptables-nft-save", "ip6tables-nft-save"})
    void what_iptables_nft_lists_is_proved() {
        proveAll(IptablesMode.Choice.NFT);
    }

    @KernelTest(tools = {"iptables-legacy-save", "ip6tables-legacy-save"})
    void what_iptables_legacy_lists_is_proved() {
        proveAll(IptablesMode.Choice.LEGACY);
    }

    private static void proveAll(IptablesMode.Choice choice) {
        ModelledScenarios listed = new ModelledScenarios(graph -> loaded(choice, graph));
        for (Scenario scenario : Scenarios.all()) {
            listed.prove(scenario);
        }
    }

    private static Ruleset loaded(IptablesMode.Choice choice, RuleGraph graph) {
        try (TestNamespace node = TestNamespace.create()) {
            String listing = node.namespace().call(() -> load(choice, graph));
            return IptablesSaveReader.read(listing, graph.family());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String load(IptablesMode.Choice choice, RuleGraph graph) {
        try (IptablesDataplane dataplane =
                new IptablesDataplane(graph.family(), choice, new NftOwnCommits())) {
            RuleGraph nothing = RuleGraph.nothing(graph.family());
            assertThat(dataplane.commit(dataplane.render(nothing, Delta.between(nothing, graph))))
                    .isInstanceOf(Commit.Applied.class);
            return new Programs(graph.family(), dataplane.variant()).save().output();
        }
    }
}
