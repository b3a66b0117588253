package dev.pointsman.ipvs;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Draining;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Family;
import dev.pointsman.iptables.IptablesMode;
import dev.pointsman.netlink.NftOwnCommits;
import java.util.List;

/// Mode `ipvs`. The dataplanes that one instance makes are for one network namespace, and for one
/// thread.
public final class IpvsMode implements Mode {
    private final NftOwnCommits commits = new NftOwnCommits();
    private final IptablesMode.Choice choice;

    /// As found by [java.util.ServiceLoader].
    public IpvsMode() {
        this(IptablesMode.Choice.DETECT);
    }

    /// @param choice which iptables has the fixed rules
    public IpvsMode(IptablesMode.Choice choice) {
        this.choice = choice;
    }

    @Override
    public String name() {
        return "ipvs";
    }

    @Override
    public Dataplane dataplane(Family family) {
        return new IpvsDataplane(family, choice, commits);
    }

    @Override
    public List<Leftovers> leftovers() {
        return IpvsLeftovers.look();
    }

    /// The fixed rules ask the sets.
    @Override
    public List<String> referrers() {
        return List.of(new IptablesMode().name());
    }

    @Override
    public List<Draining> draining() {
        return DrainList.read();
    }
}
