package dev.pointsman.graph;

import java.util.List;
import java.util.Optional;

/// What this machine knows about itself.
///
/// @param zone empty when the Node has no zone label
/// @param addresses in order of preference; the first of each family is the primary one
/// @param podRanges of either family; empty when the Node has none
public record NodeView(String name, String zone, List<IpAddress> addresses, List<Cidr> podRanges) {
    public NodeView {
        addresses = List.copyOf(addresses);
        podRanges = List.copyOf(podRanges);
    }

    Optional<IpAddress> primary(Family family) {
        return addresses.stream().filter(a -> a.family() == family).findFirst();
    }
}
