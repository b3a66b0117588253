package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane.Condition;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.NftSocket;
import dev.pointsman.netlink.TestNamespace;
import dev.pointsman.packet.scenario.Arrival;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Scenarios;
import dev.pointsman.packet.scenario.Sync;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// nf_tables counts the commits of everybody, for whatever family, in one generation: who made
/// which is known from counting ours.
final class GenerationKernelTest {
    private static final Scenario BOTH_FAMILIES = Scenarios.named("dual-stack.scenario");

    private interface Case {
        void check(Node node) throws Exception;
    }

    /// Both families of one node, as a loop drives them: on one thread.
    private record Node(TestNamespace namespace, Map<Family, Lane> lanes) {
        static Node start(TestNamespace namespace) {
            Mode mode = new IptablesMode(IptablesMode.Choice.NFT);
            List<Sync> syncs = BOTH_FAMILIES.syncs(Arrival.AS_WRITTEN);
            Map<Family, Lane> lanes = new EnumMap<>(Family.class);
            for (Family family : Family.values()) {
                lanes.put(
                        family,
                        new Lane(
                                (IptablesDataplane) mode.dataplane(family),
                                after(syncs.getFirst(), family),
                                after(syncs.getLast(), family)));
            }
            return new Node(namespace, lanes);
        }

        private static RuleGraph after(Sync sync, Family family) {
            return Objects.requireNonNull(sync.transitions().get(family)).after();
        }

        /// A change of every family and back, with a look at all after each commit.
        void beBusy(Condition expected) {
            for (Lane lane : lanes.values()) {
                lane.change(lane.full, lane.bare);
                looksLike(expected);
                lane.change(lane.bare, lane.full);
                looksLike(expected);
            }
        }

        void looksLike(Condition expected) {
            lanes.forEach(
                    (family, lane) ->
                            assertThat(lane.dataplane.condition())
                                    .as(family.title())
                                    .isEqualTo(expected));
        }

        void repair() {
            lanes.values().forEach(Lane::repair);
        }
    }

    /// One family.
    ///
    /// @param full with Services
    /// @param bare without
    private record Lane(IptablesDataplane dataplane, RuleGraph full, RuleGraph bare) {
        void repair() {
            assertThat(dataplane.commit(dataplane.repair(full))).isEqualTo(new Commit.Applied());
        }

        Commit commit(Restore restore) {
            return dataplane.commit(new IptablesTransaction(full, List.of(restore)));
        }

        void change(RuleGraph from, RuleGraph to) {
            Transaction change = dataplane.render(from, Delta.between(from, to));
            assertThat(change.size().isEmpty()).isFalse();
            assertThat(dataplane.commit(change)).isEqualTo(new Commit.Applied());
        }
    }

    @KernelTest(tools = {"iptables-nft-restore", "ip6tables-nft-restore"})
    void commits_of_both_families_are_known_for_ours() throws Exception {
        on(
                node -> {
                    node.repair();
                    node.looksLike(Condition.INTACT);
                    node.beBusy(Condition.INTACT);
                });
    }

    @KernelTest(tools = {"iptables-nft-restore", "ip6tables-nft-restore", "nft"})
    void a_change_by_others_is_not_lost_among_ours() throws Exception {
        on(
                node -> {
                    node.repair();
                    node.namespace.run("nft", "add table inet theirs");
                    node.beBusy(Condition.DISTURBED);
                    node.repair();
                    node.beBusy(Condition.INTACT);
                    node.namespace.run("ip6tables-nft", "-t", "nat", "-F", "KUBE-SERVICES");
                    node.looksLike(Condition.DISTURBED);
                });
    }

    @KernelTest(tools = {"iptables-nft-restore", "ip6tables-nft-restore"})
    void of_a_refused_restore_nothing_counts() throws Exception {
        on(
                node -> {
                    node.repair();
                    Lane lane = Objects.requireNonNull(node.lanes.get(Family.IPV4));
                    // The filter table cannot masquerade; mangle goes before it, and takes what it
                    // gets.
                    Restore.Part good = part(Table.MANGLE, new Target.Accept());
                    Restore.Part bad =
                            part(
                                    Table.FILTER,
                                    new Target.Masquerade(Capabilities.RandomFully.MISSING));
                    assertThat(lane.commit(new Restore(Map.of(Table.FILTER, bad))))
                            .isInstanceOf(Commit.Refused.class);
                    node.looksLike(Condition.INTACT);
                    assertThat(
                                    lane.commit(
                                            new Restore(
                                                    Map.of(Table.MANGLE, good, Table.FILTER, bad))))
                            .isInstanceOf(Commit.Torn.class);
                    node.looksLike(Condition.DISTURBED);
                });
    }

    @KernelTest(tools = {"iptables-nft-restore", "ip6tables-nft-restore"})
    void a_restart_with_nothing_changed_writes_nothing() throws Exception {
        on(
                node -> {
                    node.repair();
                    long before = generation();
                    Node again = Node.start(node.namespace);
                    again.repair();
                    again.looksLike(Condition.INTACT);
                    assertThat(generation()).isEqualTo(before);
                });
    }

    private static Restore.Part part(Table table, Target target) {
        Chain chain = Chain.of(table, "KUBE-TORN", List.of(Rule.of(target)), new Subject.Node());
        return new Restore.Part(List.of(chain), List.of(chain), List.of(), List.of());
    }

    private static long generation() {
        try (NftSocket socket = NftSocket.open()) {
            return socket.generation();
        }
    }

    private static void on(Case task) throws Exception {
        try (TestNamespace namespace = TestNamespace.create()) {
            namespace
                    .namespace()
                    .call(
                            () -> {
                                task.check(Node.start(namespace));
                                return true;
                            });
        }
    }
}
