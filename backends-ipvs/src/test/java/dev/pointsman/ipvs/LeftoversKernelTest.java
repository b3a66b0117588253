package dev.pointsman.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.iptables.IptablesMode;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import java.util.ArrayList;
import java.util.List;

/// Sets and the device go from a real kernel, with IPVS or without.
final class LeftoversKernelTest {
    @KernelTest(tools = {"ipset", "iptables-nft-restore", "iptables-legacy-restore"})
    void sets_go_after_the_rules_that_refer_to_them() throws Exception {
        try (TestNamespace node = TestNamespace.create()) {
            node.run("ipset", "create", "KUBE-CLUSTER-IP", "hash:ip,port");
            node.run("ipset", "create", "KUBE-6-LOAD-BALANCER-SOURCE-CID", "hash:ip,port,net");
            node.run("ipset", "create", "KUBE-SRC-OF-KUBE-ROUTER", "hash:ip");
            for (String variant : List.of("nft", "legacy")) {
                node.feed(
                        """
                        *nat
                        :KUBE-SERVICES - [0:0]
                        -A PREROUTING -j KUBE-SERVICES
                        -A KUBE-SERVICES -m set --match-set KUBE-CLUSTER-IP dst,dst -j ACCEPT
                        COMMIT
                        """,
                        "iptables-" + variant + "-restore",
                        "--noflush");
            }
            List<Leftovers.Found> found = found(node);
            assertThat(found.stream().flatMap(each -> each.objects().stream()))
                    .containsSubsequence(
                            "chain nat KUBE-SERVICES",
                            "chain nat KUBE-SERVICES",
                            "KUBE-6-LOAD-BALANCER-SOURCE-CID",
                            "KUBE-CLUSTER-IP");
            assertThat(removeAll(node, found)).hasOnlyElementsOfType(Commit.Applied.class);
            assertThat(node.run("ipset", "list", "-n")).isEqualTo("KUBE-SRC-OF-KUBE-ROUTER\n");
        }
    }

    @KernelTest(tools = {"ipset", "iptables-legacy"})
    void a_set_that_a_foreign_rule_refers_to_is_named_and_the_others_go() throws Exception {
        try (TestNamespace node = TestNamespace.create()) {
            node.run("ipset", "create", "KUBE-CLUSTER-IP", "hash:ip,port");
            node.run("ipset", "create", "KUBE-LOOP-BACK", "hash:ip,port,ip");
            String rule = "INPUT -m set --match-set KUBE-CLUSTER-IP src,src -j DROP";
            node.run(("iptables-legacy -A " + rule).split(" "));
            List<Commit> answers = removeAll(node, found(node));
            assertThat(answers)
                    .satisfiesExactly(
                            first ->
                                    assertThat(first)
                                            .isInstanceOfSatisfying(
                                                    Commit.Refused.class,
                                                    LeftoversKernelTest::namesSetAndRemedy),
                            second -> assertThat(second).isInstanceOf(Commit.Applied.class));
            assertThat(node.run("ipset", "list", "-n")).isEqualTo("KUBE-CLUSTER-IP\n");
        }
    }

    private static void namesSetAndRemedy(Commit.Refused refused) {
        assertThat(refused.what()).isEqualTo("destroy KUBE-CLUSTER-IP");
        assertThat(refused.why()).contains("iptables-save | grep KUBE-CLUSTER-IP");
    }

    @KernelTest(tools = {})
    void the_device_goes_with_its_addresses_whether_or_not_there_is_ipvs() throws Exception {
        try (TestNamespace node = TestNamespace.create()) {
            // Any kind of interface will do; a pair has both ends here.
            node.run("ip", "link", "add", "kube-ipvs0", "type", "veth", "peer", "name", "other");
            node.run("ip", "address", "add", "10.96.0.1/32", "dev", "kube-ipvs0");
            node.run("ip", "address", "add", "fd00:10:96::1/128", "dev", "kube-ipvs0");
            List<Leftovers.Found> found = found(node);
            assertThat(found.stream().flatMap(each -> each.objects().stream()))
                    .containsExactly(
                            "address 10.96.0.1/32 dev kube-ipvs0",
                            "address fd00:10:96::1/128 dev kube-ipvs0",
                            "link kube-ipvs0");
            assertThat(removeAll(node, found)).hasOnlyElementsOfType(Commit.Applied.class);
            assertThat(node.run("ip", "link")).doesNotContain("kube-ipvs0");
            assertThat(removeAll(node, found))
                    .as("what is gone already is no failure")
                    .hasOnlyElementsOfType(Commit.Applied.class);
            assertThat(found(node)).isEmpty();
        }
    }

    private static List<Leftovers.Found> found(TestNamespace node) throws Exception {
        return node.namespace()
                .call(
                        () -> {
                            List<Leftovers> all = new ArrayList<>(new IptablesMode().leftovers());
                            all.addAll(new IpvsMode().leftovers());
                            return all.stream().map(Leftovers.Found.class::cast).toList();
                        });
    }

    private static List<Commit> removeAll(TestNamespace node, List<Leftovers.Found> found)
            throws Exception {
        return node.namespace()
                .call(() -> found.stream().map(each -> each.removal().remove()).toList());
    }
}
