package dev.pointsman.iptables;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.netlink.NetlinkException;
import dev.pointsman.netlink.NftSocket;
import java.util.Collections;
import java.util.List;

/// The KUBE chains of one family in the network namespace of the thread that uses it.
final class IptablesDataplane implements Dataplane {

    /// What is known of this node.
    private sealed interface Knowledge {
        record Nothing() implements Knowledge {}

        record Known(Host host) implements Knowledge {}
    }

    /// What the tables held when they were last written or read.
    private enum Seen {
        NOTHING,
        CHAINS,
        NO_CHAINS
    }

    private static final List<Table> TABLES = List.of(Table.values());

    private final Family family;
    private final IptablesMode.Choice choice;
    private Knowledge knowledge = new Knowledge.Nothing();
    private Seen seen = Seen.NOTHING;
    private int looks;

    // Of nf_tables, as of the last commit or repair. A change by others just before a commit of
    // ours
    // is not told from it; the audit finds what it did.
    private long generationInPlace;

    IptablesDataplane(Family family, IptablesMode.Choice choice) {
        this.family = family;
        this.choice = choice;
    }

    @Override
    public Transaction render(RuleGraph from, Delta delta) {
        return Renderer.render(
                from,
                delta,
                switch (knowledge) {
                    case Knowledge.Nothing() -> Capabilities.USUAL;
                    case Knowledge.Known(var host) -> host.capabilities();
                });
    }

    @Override
    public Commit commit(Transaction transaction) {
        if (!(transaction instanceof IptablesTransaction(var target, var restores))
                || target.family() != family) {
            throw new IllegalArgumentException(
                    "a transaction of another dataplane: " + transaction.getClass());
        }
        Host host = host();
        routeLoopback(host, target);
        Commit commit = commit(host, restores);
        if (commit instanceof Commit.Applied) {
            look(target);
        }
        return commit;
    }

    private void routeLoopback(Host host, RuleGraph target) {
        if (target.node() instanceof NodeRules.Programmed rules
                && new NodePart(family, rules, host.capabilities()).loopbackAnswers()) {
            Host.routeLoopback();
        }
    }

    /// Runs the restores, all or as far as they are taken.
    static Commit commit(Host host, List<Restore> restores) {
        List<Restore> runs =
                switch (host.programs().variant()) {
                    case NFT -> restores;
                    // Each restore reads and replaces the whole table.
                    case LEGACY -> List.of(Restore.joined(restores));
                };
        for (int i = 0; i < runs.size(); i++) {
            Commit commit = commit(host, runs.get(i));
            if (!(commit instanceof Commit.Applied)) {
                return i == 0 ? commit : torn("step " + i + " of " + runs.size(), commit);
            }
        }
        return new Commit.Applied();
    }

    private static Commit commit(Host host, Restore restore) {
        if (restore.isEmpty()) {
            return new Commit.Applied();
        }
        Programs.Answer answer = host.programs().restore(restore, host.waiting());
        if (answer.isSuccess()) {
            return new Commit.Applied();
        }
        if (answer.isBusy()) {
            return new Commit.Busy(
                    XtablesLock.OF_THIS_NODE.holder() + ", and did not let go while we waited");
        }
        Refusal refusal = Refusal.of(restore, answer.errors());
        if (refusal.isOfTable()) {
            refusal = refusal.with(new Trial(host.programs(), host.waiting()).culprit(restore));
        }
        return refusal.tablesBefore() == 0
                ? refusal.told()
                : torn(refusal.tablesBefore() + " of its tables", refusal.told());
    }

    /// The same refusal after something was written.
    private static Commit torn(String applied, Commit commit) {
        return switch (commit) {
            case Commit.Applied _ -> commit;
            case Commit.Refused refused -> new Commit.Torn(applied, refused);
            case Commit.Torn(var more, var refused) ->
                    new Commit.Torn(applied + " and " + more, refused);
            case Commit.Busy(var who) ->
                    new Commit.Torn(
                            applied,
                            new Commit.Refused("the rest", who, Collections.emptySortedSet()));
        };
    }

    @Override
    public Transaction repair(RuleGraph desired) {
        Host host = host();
        // What is in place needs no commit, and somebody may have set it back.
        routeLoopback(host, desired);
        look(desired);
        Programs.Answer saved = host.programs().save();
        if (!saved.isSuccess()) {
            throw host.programs().unavailable(saved);
        }
        return Renderer.repair(SavedRules.read(saved.output()), desired, host.capabilities());
    }

    /// Asks for the canaries: somebody may have flushed one table only.
    ///
    /// nf_tables counts its changes, so there is a question only after somebody made one. ip_tables
    /// does not, and a question costs what the table is large: each look asks for the next table.
    @Override
    public Condition condition() {
        return switch (seen) {
            case NOTHING, NO_CHAINS -> Condition.INTACT;
            case CHAINS ->
                    switch (variant()) {
                        case NFT -> condition(generation());
                        case LEGACY -> {
                            Table table = TABLES.get(looks % TABLES.size());
                            looks++;
                            yield hasCanary(table) ? Condition.INTACT : Condition.DAMAGED;
                        }
                    };
        };
    }

    private Condition condition(long generation) {
        if (generation == generationInPlace) {
            return Condition.INTACT;
        }
        for (Table table : Table.values()) {
            if (!hasCanary(table)) {
                return Condition.DAMAGED;
            }
        }
        return Condition.DISTURBED;
    }

    private long generation() {
        try (NftSocket socket = NftSocket.open()) {
            return socket.generation();
        } catch (NetlinkException e) {
            throw new DataplaneUnavailable(
                    family.title()
                            + " rules of mode iptables: "
                            + e.getMessage()
                            + " (needed: CAP_NET_ADMIN in the node's network namespace)",
                    e);
        }
    }

    private boolean hasCanary(Table table) {
        Host host = host();
        Programs.Answer answer = host.programs().list(table, ChainNames.CANARY, host.waiting());
        // Who holds the lock may be about to flush, but has not yet.
        return answer.isBusy() || answer.output().contains(NodePart.CANARY_REMARK);
    }

    private void look(RuleGraph target) {
        seen =
                switch (target.node()) {
                    case NodeRules.None _ -> Seen.NO_CHAINS;
                    case NodeRules.Programmed _ -> Seen.CHAINS;
                };
        generationInPlace =
                switch (variant()) {
                    case NFT -> generation();
                    case LEGACY -> 0;
                };
    }

    /// The variant that is used here.
    Variant variant() {
        return host().programs().variant();
    }

    private Host host() {
        return switch (knowledge) {
            case Knowledge.Known(var host) -> host;
            case Knowledge.Nothing() -> {
                Host host = Host.find(family, choice);
                knowledge = new Knowledge.Known(host);
                yield host;
            }
        };
    }

    @Override
    public void close() {}
}
