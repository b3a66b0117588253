package dev.pointsman.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.netlink.FaultyKernel;
import dev.pointsman.netlink.FaultyKernel.Fault;
import dev.pointsman.netlink.FaultyKernel.Trouble;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.NftOwnCommits;
import dev.pointsman.netlink.NftSocket;
import dev.pointsman.netlink.TestNamespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A change of several batches, of which one fails or after which the process dies: the kernel
/// holds the batches before it and nothing of it, and a repair ends where the change would have.
class FaultKernelTest {
    private static final List<Trouble> TROUBLES = List.of(Trouble.values());
    private static final Town TOWN = new Town(Family.IPV4);
    private static final RuleGraph BEFORE =
            TOWN.graph(
                    TOWN.service(1, Set.of(Town.Trait.NODE_PORT), 1, 2, -1),
                    TOWN.service(2, Set.of(Town.Trait.STICKY), 1, -1),
                    TOWN.service(3, Set.of(), 1),
                    TOWN.service(4, Set.of(Town.Trait.LOAD_BALANCER, Town.Trait.RANGED), 1));
    private static final RuleGraph AFTER =
            TOWN.graph(
                    TOWN.service(1, Set.of(Town.Trait.NODE_PORT), 2, 3, 4, 5, -1),
                    TOWN.service(2, Set.of(Town.Trait.STICKY), 2, 3, -1),
                    TOWN.service(4, Set.of(), 1, 2),
                    TOWN.service(5, Set.of(Town.Trait.EXTERNAL_IP), 1));
    private static final NftablesTransaction CHANGE =
            Renderer.render(BEFORE, Delta.between(BEFORE, AFTER));

    /// A node, and what it holds after each batch of the change.
    private static final class Node implements AutoCloseable {
        private final FaultyKernel kernel = new FaultyKernel();
        private final TestNamespace namespace = TestNamespace.create();
        private final NftablesDataplane dataplane =
                new NftablesDataplane(Family.IPV4, kernel::open, new NftOwnCommits());
        private final List<List<String>> steps = new ArrayList<>();

        Node() throws Exception {
            applied(Renderer.load(BEFORE));
            steps.add(holds());
            for (int step = 1; step <= CHANGE.batches().size(); step++) {
                applied(part(step - 1, step));
                steps.add(holds());
            }
        }

        Commit commit(NftablesTransaction transaction) throws Exception {
            return namespace.namespace().call(() -> dataplane.commit(transaction));
        }

        void applied(NftablesTransaction transaction) throws Exception {
            assertThat(commit(transaction)).isEqualTo(new Commit.Applied());
        }

        /// A process that starts now brings the kernel to `desired`.
        void repair(RuleGraph desired, List<String> wanted) throws Exception {
            try (var fresh =
                    new NftablesDataplane(Family.IPV4, NftSocket::open, new NftOwnCommits())) {
                namespace
                        .namespace()
                        .call(
                                () -> {
                                    assertThat(fresh.commit(fresh.repair(desired)))
                                            .isEqualTo(new Commit.Applied());
                                    assertThat(fresh.repair(desired).text()).isEmpty();
                                    return true;
                                });
            }
            assertThat(holds()).isEqualTo(wanted);
        }

        /// From the beginning once more, with something that goes wrong.
        void begin(int batch, Fault fault) throws Exception {
            repair(BEFORE, steps.getFirst());
            kernel.breaks(batch, fault);
        }

        /// Objects are listed in the order in which they were made, which a repair changes.
        List<String> holds() {
            return namespace.run("nft", "list", "ruleset").lines().sorted().toList();
        }

        @Override
        public void close() {
            dataplane.close();
            namespace.close();
        }
    }

    private static NftablesTransaction part(int from, int until) {
        return new NftablesTransaction(AFTER, CHANGE.batches().subList(from, until));
    }

    @KernelTest
    void a_refusal_of_any_message_leaves_whole_batches_and_a_repair_ends_alike() throws Exception {
        try (Node node = new Node()) {
            int refusals = 0;
            for (int batch = 0; batch < CHANGE.batches().size(); batch++) {
                int message = 1;
                while (isRefused(node, batch, message)) {
                    refusals++;
                    message++;
                }
            }
            assertThat(refusals)
                    .as("batches have several messages")
                    .isGreaterThan(2 * CHANGE.batches().size());
        }
    }

    /// False when the batch has no such message.
    private static boolean isRefused(Node node, int batch, int message) throws Exception {
        Trouble why = TROUBLES.get(message % TROUBLES.size());
        String what = why + " at message " + message + " of batch " + batch;
        node.begin(batch, new Fault.Refusal(message, why));
        Commit answer = node.commit(CHANGE);
        if (answer instanceof Commit.Applied) {
            return false;
        }
        Commit.Refused refused = refused(answer, batch);
        assertThat(refused.why()).as(what).startsWith(why.name());
        if (why != Trouble.EBUSY) {
            assertThat(refused.services()).as(what).isEmpty();
        }
        assertThat(node.holds()).as(what).isEqualTo(node.steps.get(batch));
        node.repair(AFTER, node.steps.getLast());
        return true;
    }

    private static Commit.Refused refused(Commit answer, int batch) {
        if (batch == 0) {
            return (Commit.Refused) answer;
        }
        Commit.Torn torn = (Commit.Torn) answer;
        assertThat(torn.applied()).isEqualTo("step " + batch + " of " + CHANGE.batches().size());
        return torn.refused();
    }

    @KernelTest
    void a_batch_that_cannot_be_sent_changes_nothing() throws Exception {
        try (Node node = new Node()) {
            for (Trouble why : TROUBLES) {
                for (int batch = 0; batch < CHANGE.batches().size(); batch++) {
                    node.begin(batch, new Fault.Unsent(why));
                    if (why == Trouble.EINTR) {
                        // A signal came first; the call is made again.
                        node.applied(CHANGE);
                        continue;
                    }
                    assertThatThrownBy(() -> node.commit(CHANGE))
                            .isInstanceOf(DataplaneUnavailable.class)
                            .hasMessageContaining(why.name());
                    assertThat(node.holds()).isEqualTo(node.steps.get(batch));
                    node.repair(AFTER, node.steps.getLast());
                }
            }
        }
    }

    @KernelTest
    void a_process_that_dies_after_any_batch_is_followed_by_one_that_ends_alike() throws Exception {
        try (Node node = new Node()) {
            for (int done = 0; done <= CHANGE.batches().size(); done++) {
                node.begin(0, new Fault.Nothing());
                node.applied(part(0, done));
                assertThat(node.holds()).isEqualTo(node.steps.get(done));
                node.repair(AFTER, node.steps.getLast());
            }
        }
    }

    @KernelTest
    void an_answer_that_is_lost_is_not_taken_for_yes_or_no() throws Exception {
        try (Node node = new Node()) {
            for (int batch = 0; batch < CHANGE.batches().size(); batch++) {
                node.begin(batch, new Fault.AnswerLost());
                assertThatThrownBy(() -> node.commit(CHANGE))
                        .isInstanceOf(DataplaneUnavailable.class)
                        .hasMessageContaining("read the table");
                assertThat(node.holds()).isEqualTo(node.steps.get(batch + 1));
                node.repair(AFTER, node.steps.getLast());
            }
        }
    }
}
