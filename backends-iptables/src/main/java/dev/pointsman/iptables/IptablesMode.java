package dev.pointsman.iptables;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Family;
import dev.pointsman.netlink.NftOwnCommits;
import java.util.ArrayList;
import java.util.List;

/// Mode `iptables`. The dataplanes that one instance makes are for one network namespace, and for
/// one thread.
public final class IptablesMode implements Mode {

    /// Which of the two iptables of a node is used.
    public enum Choice {
        /// The one that holds kubelet's chains.
        DETECT,
        NFT,
        LEGACY
    }

    private final NftOwnCommits commits = new NftOwnCommits();
    private final Choice choice;

    /// As found by [java.util.ServiceLoader].
    public IptablesMode() {
        this(Choice.DETECT);
    }

    public IptablesMode(Choice choice) {
        this.choice = choice;
    }

    @Override
    public String name() {
        return "iptables";
    }

    @Override
    public Dataplane dataplane(Family family) {
        return new IptablesDataplane(family, choice, commits);
    }

    /// The chains of mode `ipvs` are among them. In both variants, since rules may be left in the
    /// one that is not used any more.
    @Override
    public List<Leftovers> leftovers() {
        List<Leftovers> all = new ArrayList<>();
        for (Family family : Family.values()) {
            all.addAll(ChainLeftovers.look(family));
        }
        return all;
    }
}
