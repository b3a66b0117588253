package dev.pointsman.packet.read;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Ruleset;
import java.util.SortedSet;

/// What a script makes of a node that had nothing.
///
/// @param ruleset rules and virtual servers, with the addresses that it gives to the node
/// @param sysctls those that it sets
public record NodeScript(Ruleset ruleset, Sysctls sysctls) {
    /// On the dummy interface for virtual servers.
    public SortedSet<IpAddress> addresses() {
        return ruleset.ipvs().addresses();
    }
}
