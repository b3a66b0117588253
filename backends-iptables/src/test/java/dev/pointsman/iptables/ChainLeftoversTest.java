package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which chains are whose, and what is said of them.
final class ChainLeftoversTest {

    @Test
    void every_chain_and_jump_of_kube_proxy_is_an_object_and_nothing_else() {
        String dump = KubeProxyDump.of(Family.IPV4, Variant.NFT);
        List<String> expected = new ArrayList<>();
        String table = "";
        for (String line : dump.lines().toList()) {
            if (line.startsWith("*")) {
                table = line.substring(1);
            } else if (line.startsWith(":KUBE-")) {
                expected.add("chain " + table + " " + line.substring(1, line.indexOf(' ')));
            } else if (line.startsWith("-A ") && !line.startsWith("-A KUBE-")) {
                expected.add("jump " + table + " " + line.substring(3));
            }
        }
        assertThat(expected.removeIf(object -> object.endsWith(" KUBE-FIREWALL"))).isTrue();
        SavedRules rules = SavedRules.read(dump);
        assertThat(ChainLeftovers.objects(rules)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(ChainLeftovers.byMaker(rules).firstKey()).isEqualTo(Leftovers.Maker.KUBE_PROXY);
    }

    @Test
    void what_we_wrote_is_told_by_any_canary_that_is_left() {
        Planner planner = Shop.planner();
        RuleGraph nothing = planner.graph();
        Delta delta = planner.plan(List.of(Shop.service(1, Shop.Style.CLUSTER_IP, "10.244.1.5")));
        InMemoryIptables kernel = new InMemoryIptables();
        kernel.restore(Renderer.render(nothing, delta, Capabilities.USUAL).text(), 0);
        String saved = kernel.save();
        String natFlushed = saved.substring(0, saved.indexOf("*nat")) + "*nat\nCOMMIT\n";
        assertThat(ChainLeftovers.byMaker(SavedRules.read(saved)).firstKey())
                .isEqualTo(Leftovers.Maker.POINTSMAN);
        assertThat(ChainLeftovers.byMaker(SavedRules.read(natFlushed)).firstKey())
                .isEqualTo(Leftovers.Maker.POINTSMAN);
    }

    @Test
    void chains_of_the_ipvs_mode_go_and_those_of_kubelet_and_network_policies_stay() {
        String saved =
                """
                *filter
                :INPUT ACCEPT [0:0]
                :KUBE-IPVS-FILTER - [0:0]
                :KUBE-IPVS-OUT-FILTER - [0:0]
                :KUBE-NODE-PORT - [0:0]
                :KUBE-SOURCE-RANGES-FIREWALL - [0:0]
                :KUBE-FIREWALL - [0:0]
                :KUBE-KUBELET-CANARY - [0:0]
                :KUBE-ROUTER-INPUT - [0:0]
                -A INPUT -m comment --comment "kubernetes ipvs access filter" -j KUBE-IPVS-FILTER
                -A INPUT -j KUBE-ROUTER-INPUT
                -A INPUT -j KUBE-FIREWALL
                COMMIT
                *nat
                :KUBE-LOAD-BALANCER - [0:0]
                :KUBE-MARK-DROP - [0:0]
                :THEIRS - [0:0]
                -A KUBE-MARK-DROP -j MARK --set-xmark 0x8000/0x8000
                -A THEIRS -j KUBE-LOAD-BALANCER
                COMMIT
                """;
        assertThat(ChainLeftovers.objects(SavedRules.read(saved)))
                .containsExactly(
                        "jump filter INPUT -m comment --comment \"kubernetes ipvs access filter\" -j"
                                + " KUBE-IPVS-FILTER",
                        "chain filter KUBE-IPVS-FILTER",
                        "chain filter KUBE-IPVS-OUT-FILTER",
                        "chain filter KUBE-NODE-PORT",
                        "chain filter KUBE-SOURCE-RANGES-FIREWALL",
                        "chain nat KUBE-LOAD-BALANCER (its rules only: a chain of others leads to"
                                + " it)");
    }
}
