package dev.pointsman.iptables;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane.Condition;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.graph.Family;
import dev.pointsman.netlink.NetlinkException;
import dev.pointsman.netlink.NftOwnCommits;
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
    private sealed interface Seen {
        record Nothing() implements Seen {}

        record NoChains() implements Seen {}

        /// @param others of nf_tables: how often others had committed when the canaries were last
        ///   known to be there
        /// @param condition whether others have committed since the last repair
        record Chains(long others, Condition condition) implements Seen {}
    }

    /// Whether there shall be chains.
    public enum Wanted {
        CHAINS,
        NO_CHAINS
    }

    private static final List<Table> TABLES = List.of(Table.values());

    private final Family family;
    private final IptablesMode.Choice choice;
    private final NftOwnCommits commits;
    private Knowledge knowledge = new Knowledge.Nothing();
    private Seen seen = new Seen.Nothing();
    private int looks;

    /// The chains of `family`; nothing is run before they are asked for.
    ///
    /// @param commits those of this process in the network namespace
    public KubeChains(Family family, IptablesMode.Choice choice, NftOwnCommits commits) {
        this.family = family;
        this.choice = choice;
        this.commits = commits;
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
        Commit commit = commit(host().tool(), restores);
        if (commit instanceof Commit.Applied) {
            seen =
                    switch (seen) {
                        // What others did before is left for the next look to find.
                        case Seen.Chains chains when wanted == Wanted.CHAINS -> chains;
                        case Seen.Nothing _, Seen.NoChains _, Seen.Chains _ -> look(wanted);
                    };
        }
        return commit;
    }

    /// What takes the kernel, as it is now, to `desired`.
    ///
    /// @throws DataplaneUnavailable when the rules cannot be read
    public List<Restore> repair(Contents desired) {
        Programs programs = host().tool().programs();
        seen = look(desired.chains().isEmpty() ? Wanted.NO_CHAINS : Wanted.CHAINS);
        Programs.Answer saved = programs.save();
        if (!saved.isSuccess()) {
            throw programs.unavailable(saved);
        }
        return Difference.between(SavedRules.read(saved.output()), desired);
    }

    /// Runs the restores, all or as far as they are taken.
    static Commit commit(Tool tool, List<Restore> restores) {
        if (restores.stream().allMatch(Restore::isEmpty)) {
            return new Commit.Applied();
        }
        List<Restore> input =
                switch (tool.programs().variant()) {
                    case NFT -> restores;
                    // Each restore reads and replaces the whole table.
                    case LEGACY -> List.of(Restore.joined(restores));
                };
        Programs.Answer answer = tool.restore(input);
        if (answer.isSuccess()) {
            return new Commit.Applied();
        }
        if (answer.isBusy()) {
            return new Commit.Busy(
                    XtablesLock.OF_THIS_NODE.holder() + ", and did not let go while we waited");
        }
        if (answer.wasKilled()) {
            return new Commit.Torn(
                    "as far as it came",
                    new Commit.Refused(
                            "the rest",
                            tool.programs().name("-restore")
                                    + " was killed, exit code "
                                    + answer.code(),
                            Collections.emptySortedSet()));
        }
        Refusal refusal = Refusal.of(input, answer.errors());
        if (refusal.isOfTable()) {
            refusal = refusal.with(new Trial(tool).culprit(Restore.joined(input)));
        }
        return refusal.tablesBefore() == 0
                ? refusal.told()
                : new Commit.Torn(
                        "the first " + refusal.tablesBefore() + " of its tables", refusal.told());
    }

    /// Asks for the canaries: somebody may have flushed one table only.
    ///
    /// nf_tables counts its changes, so there is a question only after others made one. ip_tables
    /// does not, and a question costs what the table is large: each look asks for the next table.
    public Condition condition() {
        return switch (seen) {
            case Seen.Nothing _, Seen.NoChains _ -> Condition.INTACT;
            case Seen.Chains chains ->
                    switch (variant()) {
                        case NFT -> condition(chains);
                        case LEGACY -> {
                            Table table = TABLES.get(looks % TABLES.size());
                            looks++;
                            yield hasCanary(table) ? Condition.INTACT : Condition.DAMAGED;
                        }
                    };
        };
    }

    private Condition condition(Seen.Chains last) {
        long others = others();
        if (others == last.others()) {
            return last.condition();
        }
        for (Table table : Table.values()) {
            if (!hasCanary(table)) {
                return Condition.DAMAGED;
            }
        }
        seen = new Seen.Chains(others, Condition.DISTURBED);
        return Condition.DISTURBED;
    }

    private long others() {
        try (NftSocket socket = NftSocket.open()) {
            return commits.others(socket);
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
        Programs.Answer answer = host().tool().list(table, ChainNames.CANARY);
        // Who holds the lock may be about to flush, but has not yet.
        return answer.isBusy() || answer.output().contains(NodePart.CANARY_REMARK);
    }

    private Seen look(Wanted wanted) {
        return switch (wanted) {
            case NO_CHAINS -> new Seen.NoChains();
            case CHAINS ->
                    new Seen.Chains(
                            switch (variant()) {
                                case NFT -> others();
                                case LEGACY -> 0;
                            },
                            Condition.INTACT);
        };
    }

    /// The variant that is used here.
    Variant variant() {
        return host().tool().programs().variant();
    }

    Host host() {
        return switch (knowledge) {
            case Knowledge.Known(var host) -> host;
            case Knowledge.Nothing() -> {
                Host host = Host.find(family, choice, commits);
                knowledge = new Knowledge.Known(host);
                yield host;
            }
        };
    }
}
