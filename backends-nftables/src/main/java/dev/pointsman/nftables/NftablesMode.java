package dev.pointsman.nftables;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Family;

/// Mode `nftables`.
public final class NftablesMode implements Mode {
    @Override
    public String name() {
        return "nftables";
    }

    @Override
    public Dataplane dataplane(Family family) {
        return new NftablesDataplane(family);
    }
}
