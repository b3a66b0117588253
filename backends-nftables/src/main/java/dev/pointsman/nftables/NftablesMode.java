package dev.pointsman.nftables;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Family;
import dev.pointsman.netlink.NftOwnCommits;
import dev.pointsman.netlink.NftSocket;
import java.util.ArrayList;
import java.util.List;

/// Mode `nftables`. The dataplanes that one instance makes are for one network namespace, and for
/// one thread.
public final class NftablesMode implements Mode {
    private final NftOwnCommits commits = new NftOwnCommits();

    @Override
    public String name() {
        return "nftables";
    }

    @Override
    public Dataplane dataplane(Family family) {
        return new NftablesDataplane(family, NftSocket::open, commits);
    }

    @Override
    public List<Leftovers> leftovers() {
        List<Leftovers> all = new ArrayList<>();
        for (Family family : Family.values()) {
            all.addAll(TableLeftovers.look(family));
        }
        return all;
    }
}
