package dev.pointsman.nftables;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.netlink.GracePeriod;
import dev.pointsman.netlink.NetlinkException;
import dev.pointsman.netlink.NftAnswer;
import dev.pointsman.netlink.NftOwnCommits;
import dev.pointsman.netlink.NftSocket;
import dev.pointsman.netlink.NftTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// The table `pointsman` of one family in the network namespace of the thread that first uses it.
final class NftablesDataplane implements Dataplane {
    static final String TABLE = "pointsman";

    /// The socket, which is opened when it is first needed.
    private sealed interface Connection {
        record Closed() implements Connection {}

        record Open(NftSocket socket) implements Connection {}
    }

    /// What was seen of the table after the last commit or repair.
    private sealed interface Seen {
        /// Nothing was written or read yet, so nothing can have been lost.
        record Nothing() implements Seen {}

        /// @param others how often others had committed when the table was last known to hold what
        ///   it should
        record Table(long others, Optional<Mark> mark) implements Seen {}

        /// The table was gone right after it had been written.
        record Lost() implements Seen {}

        /// What changes when somebody replaces or empties the table.
        record Mark(long handle, int use) {
            static Mark of(NftTable table) {
                return new Mark(table.handle(), table.use());
            }
        }
    }

    private final Family family;
    private final Supplier<NftSocket> opening;
    private final NftOwnCommits commits;
    private Connection connection = new Connection.Closed();
    private Seen seen = new Seen.Nothing();

    /// @param opening opens a socket in the network namespace of the calling thread
    /// @param commits those of this process in that namespace
    NftablesDataplane(Family family, Supplier<NftSocket> opening, NftOwnCommits commits) {
        this.family = family;
        this.opening = opening;
        this.commits = commits;
    }

    @Override
    public Transaction render(RuleGraph from, Delta delta) {
        return Renderer.render(from, delta);
    }

    @Override
    public Commit commit(Transaction transaction) {
        if (!(transaction instanceof NftablesTransaction(var target, var batches))
                || target.family() != family) {
            throw new IllegalArgumentException(
                    "a transaction of another dataplane: " + transaction.getClass());
        }
        return ask(
                socket -> {
                    for (int i = 0; i < batches.size(); i++) {
                        awaitStart(batches.get(i));
                        NftAnswer answer =
                                commits.commit(socket, Encoding.of(batches.get(i), family));
                        if (answer instanceof NftAnswer.Refused refused) {
                            Commit.Refused told = Refusal.of(refused, family);
                            return i == 0
                                    ? told
                                    : new Commit.Torn("step " + i + " of " + batches.size(), told);
                        }
                    }
                    look(socket, target, othersBefore(socket));
                    return new Commit.Applied();
                });
    }

    private static void awaitStart(Batch batch) {
        switch (batch.start()) {
            case AT_ONCE -> {}
            case AFTER_PACKETS -> GracePeriod.await();
        }
    }

    @Override
    public Transaction repair(RuleGraph desired) {
        return ask(
                socket -> {
                    look(socket, desired, commits.others(socket));
                    Optional<KernelTable> found = KernelTable.read(socket, family);
                    if (desired.node() instanceof NodeRules.None) {
                        return found.isPresent()
                                ? Renderer.removal(desired)
                                : new NftablesTransaction(desired, List.of());
                    }
                    return found.map(table -> repair(table, desired))
                            .orElseGet(() -> Renderer.load(desired));
                });
    }

    private NftablesTransaction repair(KernelTable found, RuleGraph desired) {
        RuleGraph target = SlotOrder.adopt(desired, found);
        Contents wanted = Compiler.all(target);
        List<Batch> batches =
                new ArrayList<>(Difference.between(found.asSeenBy(wanted, family), wanted));
        if (found.dormant()) {
            // Added once more without the flag, it wakes up: with its content in order.
            batches.add(
                    new Batch(
                            Batch.Start.AT_ONCE,
                            List.of(new Operation.AddTable(new Subject.Node()))));
        }
        return new NftablesTransaction(target, batches);
    }

    @Override
    public Condition condition() {
        return switch (seen) {
            case Seen.Nothing _ -> Condition.INTACT;
            case Seen.Lost _ -> Condition.DAMAGED;
            case Seen.Table table -> ask(socket -> condition(socket, table));
        };
    }

    private Condition condition(NftSocket socket, Seen.Table table) {
        if (commits.others(socket) == table.others()) {
            return Condition.INTACT;
        }
        // Often somebody's change of another table; but elements, rules and flags of ours change
        // without a mark, too.
        return mark(socket).equals(table.mark()) ? Condition.DISTURBED : Condition.DAMAGED;
    }

    private void look(NftSocket socket, RuleGraph target, long others) {
        Optional<Seen.Mark> mark = mark(socket);
        boolean lost = mark.isEmpty() && target.node() instanceof NodeRules.Programmed;
        seen = lost ? new Seen.Lost() : new Seen.Table(others, mark);
    }

    /// What the others had committed before the commit that was just made: what they did since is
    /// left for the next look to find.
    private long othersBefore(NftSocket socket) {
        return switch (seen) {
            case Seen.Nothing _, Seen.Lost _ -> commits.others(socket);
            case Seen.Table(var others, _) -> others;
        };
    }

    private Optional<Seen.Mark> mark(NftSocket socket) {
        return socket.table(RuleCode.family(family), TABLE).map(Seen.Mark::of);
    }

    /// A question to the kernel. After a failure the socket may hold late answers: the next
    /// question opens another.
    private <T> T ask(Function<NftSocket, T> question) {
        try {
            return question.apply(socket());
        } catch (NetlinkException e) {
            close();
            throw unavailable(family, e);
        }
    }

    static DataplaneUnavailable unavailable(Family family, NetlinkException e) {
        return new DataplaneUnavailable(
                family.title()
                        + " rules of mode nftables: "
                        + e.getMessage()
                        + " (needed: CAP_NET_ADMIN in the node's network namespace, Linux 5.13"
                        + " or later with nf_tables)",
                e);
    }

    private NftSocket socket() {
        return switch (connection) {
            case Connection.Open(var socket) -> socket;
            case Connection.Closed _ -> {
                NftSocket socket = opening.get();
                connection = new Connection.Open(socket);
                yield socket;
            }
        };
    }

    @Override
    public void close() {
        switch (connection) {
            case Connection.Closed _ -> {}
            case Connection.Open(var socket) -> {
                connection = new Connection.Closed();
                socket.close();
            }
        }
    }
}
