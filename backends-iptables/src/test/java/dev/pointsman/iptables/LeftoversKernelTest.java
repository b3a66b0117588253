package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.NftOwnCommits;
import dev.pointsman.netlink.TestNamespace;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What a real kube-proxy left goes, from the real kernel, and nothing else.
final class LeftoversKernelTest {
    private static final String OTHERS =
            """
            *filter
            :KUBE-KUBELET-CANARY - [0:0]
            :THEIRS - [0:0]
            -A INPUT -j THEIRS
            COMMIT
            *nat
            :KUBE-MARK-DROP - [0:0]
            -A KUBE-MARK-DROP -j MARK --set-xmark 0x8000/0x8000
            COMMIT
            """;

    private static final Pattern OF_OTHERS =
            Pattern.compile("KUBE-FIREWALL|KUBE-KUBELET-CANARY|KUBE-MARK-DROP|THEIRS");

    @KernelTest(
            tools = {
                "iptables-nft-restore",
                "ip6tables-nft-restore",
                "iptables-legacy-restore",
                "ip6tables-legacy-restore"
            })
    void chains_of_both_families_and_variants_go_and_those_of_others_stay() throws Exception {
        List<Programs> all = new ArrayList<>();
        for (Family family : Family.values()) {
            for (Variant variant : Variant.values()) {
                all.add(new Programs(family, variant));
            }
        }
        try (TestNamespace node = TestNamespace.create()) {
            for (Programs each : all) {
                restore(node, each, KubeProxyDump.of(each.family(), each.variant()));
                restore(node, each, OTHERS);
            }
            List<String> left = saved(node, all);
            List<Leftovers.Found> found = found(node);
            assertThat(found)
                    .extracting(Leftovers.Found::place)
                    .containsExactlyElementsOf(
                            all.stream()
                                    .map(each -> each.name("") + " " + each.family().title())
                                    .toList());
            assertThat(found)
                    .extracting(Leftovers.Found::maker)
                    .containsOnly(Leftovers.Maker.KUBE_PROXY);
            assertThat(saved(node, all)).as("a look writes nothing").isEqualTo(left);

            assertThat(removeAll(node, found)).hasOnlyElementsOfType(Commit.Applied.class);
            assertThat(saved(node, all))
                    .containsExactlyElementsOf(
                            left.stream().filter(OF_OTHERS.asPredicate()).toList());
            assertThat(leftovers(node)).isEmpty();
        }
    }

    @KernelTest(tools = {"iptables-nft-restore", "iptables-legacy-restore"})
    void ours_is_told_from_kube_proxys_in_the_other_variant() throws Exception {
        try (TestNamespace node = TestNamespace.create()) {
            restore(
                    node,
                    new Programs(Family.IPV4, Variant.LEGACY),
                    KubeProxyDump.of(Family.IPV4, Variant.LEGACY));
            node.namespace().call(LeftoversKernelTest::load);
            assertThat(found(node))
                    .extracting(Leftovers.Found::place, Leftovers.Found::maker)
                    .containsExactly(
                            tuple("iptables-nft IPv4", Leftovers.Maker.POINTSMAN),
                            tuple("iptables-legacy IPv4", Leftovers.Maker.KUBE_PROXY));
        }
    }

    @KernelTest(tools = "iptables-nft-restore")
    void what_kube_proxy_wrote_over_ours_is_its_and_stays() throws Exception {
        Programs programs = new Programs(Family.IPV4, Variant.NFT);
        // It leaves a canary that is there as it is.
        String dump =
                KubeProxyDump.of(Family.IPV4, Variant.NFT)
                        .lines()
                        .filter(line -> !line.startsWith(":KUBE-PROXY-CANARY"))
                        .collect(Collectors.joining("\n", "", "\n"));
        List<String> theirs =
                dump.lines()
                        .filter(line -> line.startsWith("-A ") || line.startsWith(":KUBE-"))
                        .toList();
        try (TestNamespace node = TestNamespace.create()) {
            node.namespace().call(LeftoversKernelTest::load);
            restore(node, programs, dump);
            List<Leftovers.Found> found = found(node);
            assertThat(found)
                    .extracting(Leftovers.Found::maker)
                    .containsExactlyInAnyOrder(
                            Leftovers.Maker.POINTSMAN, Leftovers.Maker.KUBE_PROXY);
            List<Leftovers.Found> ours =
                    found.stream()
                            .filter(each -> each.maker() == Leftovers.Maker.POINTSMAN)
                            .toList();
            assertThat(ours.getFirst().objects())
                    .contains("chain nat KUBE-KEPT-SOURCES")
                    .noneMatch(object -> object.endsWith("chain nat KUBE-SERVICES"));

            assertThat(removeAll(node, ours)).containsExactly(new Commit.Applied());
            assertThat(saved(node, List.of(programs)))
                    .containsAll(theirs)
                    .noneMatch(line -> line.contains("KUBE-KEPT-SOURCES"))
                    .noneMatch(line -> line.contains(NodePart.CANARY_REMARK))
                    .noneMatch(
                            line -> line.startsWith("-A INPUT") && line.endsWith(" KUBE-SERVICES"));
            assertThat(found(node))
                    .extracting(Leftovers.Found::maker)
                    .containsExactly(Leftovers.Maker.KUBE_PROXY);
        }
    }

    private static boolean load() {
        Planner planner = Shop.planner();
        RuleGraph nothing = planner.graph();
        Delta delta = planner.plan(List.of(Shop.service(1, Shop.Style.CLUSTER_IP, "10.244.1.5")));
        try (var dataplane =
                new IptablesDataplane(Family.IPV4, IptablesMode.Choice.NFT, new NftOwnCommits())) {
            dataplane.commit(dataplane.render(nothing, delta));
        }
        return true;
    }

    private static void restore(TestNamespace node, Programs programs, String input) {
        node.feed(input, programs.name("-restore"), "--noflush");
    }

    /// The rules, and the chains that are not built in.
    private static List<String> saved(TestNamespace node, List<Programs> all) {
        return all.stream()
                .flatMap(each -> node.run(each.name("-save")).lines())
                .filter(line -> line.startsWith("-A ") || line.contains(" - [0:0]"))
                .toList();
    }

    private static List<Leftovers> leftovers(TestNamespace node) throws Exception {
        return node.namespace().call(() -> new IptablesMode().leftovers());
    }

    private static List<Leftovers.Found> found(TestNamespace node) throws Exception {
        return leftovers(node).stream().map(Leftovers.Found.class::cast).toList();
    }

    private static List<Commit> removeAll(TestNamespace node, List<Leftovers.Found> found)
            throws Exception {
        return node.namespace()
                .call(() -> found.stream().map(each -> each.removal().remove()).toList());
    }
}
