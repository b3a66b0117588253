package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What other programs have in the tables stays as it is.
final class SavedRulesTest {
    private final RuleGraph desired = desired();

    @Test
    void foreign_chains_and_rules_are_never_written() {
        String foreign =
                """
                *filter
                :INPUT ACCEPT [0:0]
                :FORWARD DROP [12:3456]
                :OUTPUT ACCEPT [0:0]
                :CILIUM_FORWARD - [0:0]
                :KUBE-KUBELET-CANARY - [0:0]
                -A FORWARD -m comment --comment "odd \\"quotes\\" -j KUBE-SERVICES" -j CILIUM_FORWARD
                -A INPUT -p tcp -j LOG --log-prefix "to -j KUBE-SVC-SHOP "
                -A CILIUM_FORWARD -m unheard-of --of it -j ACCEPT
                COMMIT
                *raw
                :PREROUTING ACCEPT [0:0]
                -A PREROUTING -j KUBE-SERVICES
                COMMIT
                """;
        String text = repair(foreign);
        assertThat(text).doesNotContain("CILIUM", "KUBELET", "unheard-of", "-D ", "-X ", "*raw");
    }

    @Test
    void what_kube_proxy_left_goes_with_its_jumps() {
        String left =
                """
                *filter
                :INPUT ACCEPT [0:0]
                :KUBE-PROXY-FIREWALL - [0:0]
                -A INPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL
                COMMIT
                *nat
                :KUBE-SVC-ABCDEFGHIJKLMNOP - [0:0]
                :KUBE-SEP-ABCDEFGHIJKLMNOP - [0:0]
                -A KUBE-SVC-ABCDEFGHIJKLMNOP -j KUBE-SEP-ABCDEFGHIJKLMNOP
                COMMIT
                """;
        assertThat(repair(left))
                .contains(
                        "-D INPUT -m conntrack --ctstate NEW -m comment --comment \"kubernetes load"
                                + " balancer firewall\" -j KUBE-PROXY-FIREWALL",
                        "-X KUBE-PROXY-FIREWALL",
                        "-X KUBE-SVC-ABCDEFGHIJKLMNOP",
                        "-X KUBE-SEP-ABCDEFGHIJKLMNOP");
    }

    @Test
    void a_stale_chain_that_others_use_is_emptied_only() {
        String used =
                """
                *nat
                :KUBE-SVC-ABCDEFGHIJKLMNOP - [0:0]
                :THEIRS - [0:0]
                -A KUBE-SVC-ABCDEFGHIJKLMNOP -j RETURN
                -A THEIRS -g KUBE-SVC-ABCDEFGHIJKLMNOP
                COMMIT
                """;
        assertThat(repair(used))
                .contains(":KUBE-SVC-ABCDEFGHIJKLMNOP - [0:0]")
                .doesNotContain("-X KUBE-SVC-ABCDEFGHIJKLMNOP");
        String emptied = used.replace("-A KUBE-SVC-ABCDEFGHIJKLMNOP -j RETURN\n", "");
        assertThat(repair(emptied)).doesNotContain("KUBE-SVC-ABCDEFGHIJKLMNOP");
    }

    @Test
    void kubelets_rules_in_the_shared_firewall_chain_stay() {
        String kubelets =
                """
                *filter
                :INPUT ACCEPT [0:0]
                :OUTPUT ACCEPT [0:0]
                :KUBE-FIREWALL - [0:0]
                -A INPUT -j KUBE-FIREWALL
                -A KUBE-FIREWALL -m comment --comment "marked for dropping" -m mark --mark 0x8000/0x8000 -j DROP
                COMMIT
                """;
        assertThat(repair(kubelets))
                .contains("-I KUBE-FIREWALL 1 ", "-I OUTPUT 2 -j KUBE-FIREWALL")
                .doesNotContain(":KUBE-FIREWALL", "INPUT 4 -j KUBE-FIREWALL");
    }

    @Test
    void a_repeated_jump_goes() {
        InMemoryIptables kernel = new InMemoryIptables();
        RuleGraph nothing = RuleGraph.nothing(desired.family());
        kernel.restore(
                Renderer.render(nothing, Delta.between(nothing, desired), Capabilities.USUAL)
                        .text(),
                0);
        String jump =
                "POSTROUTING -m comment --comment \"kubernetes postrouting rules\""
                        + " -j KUBE-POSTROUTING";
        String twice = kernel.save().replace("-A " + jump, "-A " + jump + "\n-A " + jump);
        assertThat(repair(twice)).isEqualTo("*nat\n-D " + jump + "\nCOMMIT\n");
    }

    private String repair(String saved) {
        return Renderer.repair(SavedRules.read(saved), desired, Capabilities.USUAL).text();
    }

    private static RuleGraph desired() {
        Planner planner = Shop.planner();
        planner.plan(List.of(Shop.service(1, Shop.Style.CLUSTER_IP, "10.244.1.5")));
        return planner.graph();
    }
}
