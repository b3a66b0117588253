package dev.pointsman.iptables;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane.Condition;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.graph.Family;
import dev.pointsman.netlink.NetlinkException;
import dev.pointsman.netlink.NftSocket;
import java.util.Collections;
import java.util.List;

/// The KUBE chains of one family in the network namespace of the thread that uses them, whatever
/// mode decides what is in them.
public final class KubeChains {
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

    /// Whether there shall be chains.
    public enum Wanted {
        CHAINS,
        NO_CHAINS
    }

    private static final List<Table> TABLES = List.of(Table.values());

    private final Family family;
    private final IptablesMode.Choice choice;
    private Knowledge knowledge = new Knowledge.Nothing();
    private Seen seen = Seen.NOTHING;
    private int looks;

    // Of nf_tables: its generation when the canaries were last known to be there, and whether
    // somebody wrote since the last commit or repair. A change by others just before a commit of
    // ours is not told from it; the audit finds what it did.
    private long generation;
    private Condition known = Condition.INTACT;

    /// The chains of `family`; nothing is run before they are asked for.
    public KubeChains(Family family, IptablesMode.Choice choice) {
        this.family = family;
        this.choice = choice;
    }

    /// What this node can do, once it was found out, and until then what every node can.
    public Capabilities capabilities() {
        return switch (knowledge) {
            case Knowledge.Nothing() -> Capabilities.USUAL;
            case Knowledge.Known(var host) -> host.capabilities();
        };
    }

    /// Runs the restores, all or as far as they are taken.
    ///
    /// @param wanted what there is once they have run
    /// @throws DataplaneUnavailable when iptables cannot be used at all
    public Commit commit(List<Restore> restores, Wanted wanted) {
        Commit commit = commit(host(), restores);
        if (commit instanceof Commit.Applied) {
            look(wanted);
        }
        return commit;
    }

    /// What takes the kernel, as it is now, to `desired`.
    ///
    /// @throws DataplaneUnavailable when the rules cannot be read
    public List<Restore> repair(Contents desired) {
        Programs programs = host().programs();
        look(desired.chains().isEmpty() ? Wanted.NO_CHAINS : Wanted.CHAINS);
        Programs.Answer saved = programs.save();
        if (!saved.isSuccess()) {
            throw programs.unavailable(saved);
        }
        return Difference.between(SavedRules.read(saved.output()), desired);
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
        if (answer.wasKilled()) {
            return torn(
                    "as far as it came",
                    new Commit.Refused(
                            "the rest",
                            host.programs().name("-restore")
                                    + " was killed, exit code "
                                    + answer.code(),
                            Collections.emptySortedSet()));
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

    /// Asks for the canaries: somebody may have flushed one table only.
    ///
    /// nf_tables counts its changes, so there is a question only after somebody made one. ip_tables
    /// does not, and a question costs what the table is large: each look asks for the next table.
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

    private Condition condition(long now) {
        if (now == generation) {
            return known;
        }
        for (Table table : Table.values()) {
            if (!hasCanary(table)) {
                return Condition.DAMAGED;
            }
        }
        generation = now;
        known = Condition.DISTURBED;
        return known;
    }

    private long generation() {
        try (NftSocket socket = NftSocket.open()) {
            return socket.generation();
        } catch (NetlinkException e) {
            throw new DataplaneUnavailable(
                    family.title()
                            + " iptables rules: "
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

    private void look(Wanted wanted) {
        seen =
                switch (wanted) {
                    case CHAINS -> Seen.CHAINS;
                    case NO_CHAINS -> Seen.NO_CHAINS;
                };
        known = Condition.INTACT;
        generation =
                switch (variant()) {
                    case NFT -> generation();
                    case LEGACY -> 0;
                };
    }

    /// The variant that is used here.
    Variant variant() {
        return host().programs().variant();
    }

    Host host() {
        return switch (knowledge) {
            case Knowledge.Known(var host) -> host;
            case Knowledge.Nothing() -> {
                Host host = Host.find(family, choice);
                knowledge = new Knowledge.Known(host);
                yield host;
            }
        };
    }
}
