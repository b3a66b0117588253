package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.Settings;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.NftOwnCommits;
import dev.pointsman.netlink.TestNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/// What the driver makes of faults and of others who write the tables.
final class DriverKernelTest {
    private static final ServiceName BAD = new ServiceName("shop", "bad");

    private interface Case {
        void check(IptablesDataplane dataplane, TestNamespace node) throws Exception;
    }

    @KernelTest(tools = {"iptables-nft-restore", "iptables-legacy-restore"})
    void a_line_that_is_refused_is_its_services_and_nothing_is_written() throws Exception {
        // Only the nat table masquerades. nf_tables names the rule, ip_tables only the table.
        Rule refused =
                Rule.of(
                        new Target.Masquerade(Capabilities.RandomFully.MISSING),
                        new Match.Comment("not here"));
        onBoth(
                (dataplane, node) -> {
                    Commit commit = dataplane.commit(transaction(refused));
                    assertThat(commit)
                            .isInstanceOfSatisfying(
                                    Commit.Refused.class,
                                    told -> {
                                        assertThat(told.services()).containsExactly(BAD);
                                        assertThat(told.what()).contains("not here");
                                    });
                    assertThat(saved(dataplane).chains()).isEmpty();
                });
    }

    @KernelTest(tools = {"iptables-nft-restore", "iptables-legacy-restore"})
    void of_many_steps_those_before_the_refused_one_are_in_place() throws Exception {
        on(
                IptablesMode.Choice.NFT,
                (dataplane, _) -> {
                    Restore good = filled(chain("good", Rule.of(new Target.Accept())));
                    Restore bad =
                            filled(
                                    chain(
                                            "bad",
                                            Rule.of(
                                                    new Target.Masquerade(
                                                            Capabilities.RandomFully.MISSING))));
                    Restore after = filled(chain("after", Rule.of(new Target.Accept())));
                    assertThat(
                                    dataplane.commit(
                                            new IptablesTransaction(
                                                    RuleGraph.nothing(Family.IPV4),
                                                    List.of(good, bad, after))))
                            .isInstanceOfSatisfying(
                                    Commit.Torn.class,
                                    torn ->
                                            assertThat(torn.refused().services())
                                                    .containsExactly(BAD));
                    assertThat(saved(dataplane).chains())
                            .extracting(Chain.Key::name)
                            .containsExactly(chain("good", Rule.of(new Target.Accept())).name());
                });
    }

    @KernelTest(tools = {"iptables-nft-restore", "iptables-legacy-restore"})
    void a_flush_of_any_table_is_noticed_and_repaired() throws Exception {
        onBoth(
                (dataplane, node) -> {
                    RuleGraph graph = load(dataplane);
                    for (Table table : Table.values()) {
                        node.run(program(dataplane), "-t", table.keyword(), "-F");
                        assertThat(condition(dataplane)).isEqualTo(Dataplane.Condition.DAMAGED);
                        assertThat(dataplane.commit(dataplane.repair(graph)))
                                .isInstanceOf(Commit.Applied.class);
                        assertThat(condition(dataplane)).isEqualTo(Dataplane.Condition.INTACT);
                        assertThat(dataplane.repair(graph).text()).isEmpty();
                    }
                });
    }

    @KernelTest(tools = {"iptables-nft-restore", "iptables-legacy-restore"})
    void rules_of_others_stay_in_their_places() throws Exception {
        onBoth(
                (dataplane, node) -> {
                    String program = program(dataplane);
                    node.run(program, "-t", "nat", "-N", "THEIRS");
                    node.run(program, "-t", "nat", "-A", "THEIRS", "-j", "RETURN");
                    node.run(program, "-t", "nat", "-A", "PREROUTING", "-j", "THEIRS");
                    RuleGraph graph = load(dataplane);
                    RuleGraph nothing = RuleGraph.nothing(Family.IPV4);
                    dataplane.commit(dataplane.render(graph, Delta.between(graph, nothing)));
                    assertThat(node.run(program, "-t", "nat", "-S"))
                            .contains("-A THEIRS -j RETURN", "-A PREROUTING -j THEIRS")
                            .doesNotContain("KUBE");
                    assertThat(dataplane.condition()).isEqualTo(Dataplane.Condition.INTACT);
                });
    }

    /// The file is one for all namespaces, so it is held as briefly as can be.
    @KernelTest(tools = {"iptables-legacy-restore", "flock"})
    void the_holder_of_the_lock_is_named() throws Exception {
        on(
                IptablesMode.Choice.LEGACY,
                (dataplane, node) -> {
                    RuleGraph graph = load(dataplane);
                    Process holder =
                            new ProcessBuilder(
                                            "flock",
                                            "/run/xtables.lock",
                                            "sh",
                                            "-c",
                                            "echo held; exec sleep 30")
                                    .start();
                    try (var said = holder.inputReader()) {
                        assertThat(said.readLine()).isEqualTo("held");
                        RuleGraph nothing = RuleGraph.nothing(Family.IPV4);
                        assertThat(
                                        dataplane.commit(
                                                dataplane.render(
                                                        graph, Delta.between(graph, nothing))))
                                .isInstanceOfSatisfying(
                                        Commit.Busy.class,
                                        busy ->
                                                assertThat(busy.who())
                                                        .contains("holds /run/xtables.lock")
                                                        .contains("waited"));
                        assertThat(dataplane.condition()).isEqualTo(Dataplane.Condition.INTACT);
                    } finally {
                        holder.descendants().forEach(ProcessHandle::destroy);
                        holder.destroy();
                    }
                });
    }

    @KernelTest(tools = {"iptables-nft-restore", "iptables-legacy-restore"})
    void loopback_is_routed_once_its_node_ports_answer() throws Exception {
        on(
                IptablesMode.Choice.NFT,
                (dataplane, node) -> {
                    assertThat(routed()).isEqualTo("0");
                    RuleGraph graph = load(dataplane);
                    assertThat(routed()).isEqualTo("1");
                    node.run("sysctl", "-qw", "net.ipv4.conf.all.route_localnet=0");
                    assertThat(dataplane.repair(graph).text()).isEmpty();
                    assertThat(routed()).isEqualTo("1");
                });
    }

    @KernelTest(tools = {"iptables-nft-restore", "iptables-legacy-restore"})
    void loopback_is_routed_beforehand_only_if_its_node_ports_will_answer() throws Exception {
        on(
                IptablesMode.Choice.NFT,
                (dataplane, _) -> {
                    dataplane.prepare(Settings.nftablesDefaults());
                    assertThat(routed()).isEqualTo("0");
                    dataplane.prepare(Settings.iptablesDefaults());
                    assertThat(routed()).isEqualTo("1");
                });
    }

    /// `iptables-nft-save` leaves such a table out and succeeds.
    @KernelTest(tools = {"iptables-nft-restore", "nft"})
    void a_table_that_cannot_be_read_is_not_taken_for_empty() throws Exception {
        on(
                IptablesMode.Choice.NFT,
                (dataplane, node) -> {
                    RuleGraph graph = load(dataplane);
                    node.run("nft", "add rule ip filter INPUT limit rate over 10/second drop");
                    assertThatThrownBy(() -> dataplane.repair(graph))
                            .isInstanceOf(DataplaneUnavailable.class)
                            .hasMessageContaining("table filter");
                });
    }

    @KernelTest(tools = {"iptables-nft-restore", "iptables-legacy-restore"})
    void the_variant_of_kubelet_is_found() throws Exception {
        for (String variant : List.of("nft", "legacy")) {
            try (TestNamespace node = TestNamespace.create()) {
                node.run("iptables-" + variant, "-t", "mangle", "-N", "KUBE-IPTABLES-HINT");
                assertThat(inside(node, () -> VariantSearch.search(Family.IPV4)).variant().word())
                        .isEqualTo(variant);
            }
        }
    }

    /// The worst of as many looks as there are tables.
    private static Dataplane.Condition condition(IptablesDataplane dataplane) {
        Dataplane.Condition worst = Dataplane.Condition.INTACT;
        for (Table _ : Table.values()) {
            Dataplane.Condition now = dataplane.condition();
            worst = now.compareTo(worst) > 0 ? now : worst;
        }
        return worst;
    }

    private static String routed() throws IOException {
        return Files.readString(Path.of("/proc/sys/net/ipv4/conf/all/route_localnet")).strip();
    }

    private static IptablesTransaction transaction(Rule rule) {
        List<Chain> chains =
                List.of(
                        chain("good", Rule.of(new Target.Accept())),
                        chain("bad", rule),
                        chain("fine", Rule.of(new Target.Drop())));
        return new IptablesTransaction(
                RuleGraph.nothing(Family.IPV4), List.of(filled(chains.toArray(Chain[]::new))));
    }

    private static Restore filled(Chain... chains) {
        List<Chain> all = List.of(chains);
        return new Restore(Map.of(Table.FILTER, new Restore.Part(all, all, List.of(), List.of())));
    }

    private static Chain chain(String name, Rule rule) {
        return Chain.of(
                Table.FILTER,
                "KUBE-SVC-" + (name.toUpperCase(Locale.ROOT) + "A".repeat(16)).substring(0, 16),
                List.of(rule),
                new Subject.Service(new ServiceName("shop", name)));
    }

    private static SavedRules saved(IptablesDataplane dataplane) {
        return SavedRules.read(new Programs(Family.IPV4, dataplane.variant()).save().output());
    }

    private static String program(IptablesDataplane dataplane) {
        return new Programs(Family.IPV4, dataplane.variant()).name("");
    }

    private static RuleGraph load(IptablesDataplane dataplane) {
        Planner planner = Shop.planner();
        RuleGraph nothing = planner.graph();
        Delta delta =
                planner.plan(
                        List.of(
                                Shop.service(1, Shop.Style.NODE_PORT, "10.244.1.5"),
                                Shop.service(2, Shop.Style.STICKY, "10.244.1.5")));
        assertThat(dataplane.commit(dataplane.render(nothing, delta)))
                .isInstanceOf(Commit.Applied.class);
        return planner.graph();
    }

    private static void onBoth(Case task) throws Exception {
        on(IptablesMode.Choice.NFT, task);
        on(IptablesMode.Choice.LEGACY, task);
    }

    private static void on(IptablesMode.Choice choice, Case task) throws Exception {
        try (TestNamespace node = TestNamespace.create();
                var dataplane = new IptablesDataplane(Family.IPV4, choice, new NftOwnCommits())) {
            inside(
                    node,
                    () -> {
                        task.check(dataplane, node);
                        return true;
                    });
        }
    }

    private static <T> T inside(TestNamespace node, Callable<T> task) throws Exception {
        return node.namespace().call(task);
    }
}
