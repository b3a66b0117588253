package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Node;
import dev.pointsman.packet.netfilter.Ruleset;
import java.util.List;

/// What was read of routes.
///
/// @param routes of the main table; of equal destinations the preferred one first
/// @param unread what routing by these alone does not account for
public record Routes(List<Node.Route> routes, List<Ruleset.Unread> unread) {
    public Routes {
        routes = List.copyOf(routes);
        unread = List.copyOf(unread);
    }
}
