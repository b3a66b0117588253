package dev.pointsman.kube;

import dev.pointsman.graph.IpAddress;
import java.util.List;

/// A Pod reduced to who has which address. Decides no rules; explains them.
///
/// @param addresses empty before it has any and after it is finished, when the address may already
///   be another Pod's
/// @param node empty while unscheduled
/// @param network whose addresses these are
public record Pod(
        String namespace, String name, List<IpAddress> addresses, String node, Network network) {
    /// Whose network a Pod is in. Traffic of a Pod in the node's own counts as the node's.
    public enum Network {
        POD,
        HOST
    }

    public Pod {
        addresses = List.copyOf(addresses);
    }
}
