package dev.pointsman.dataplane;

import dev.pointsman.graph.Family;
import java.util.List;

/// A way to program kernels, as users name it in `mode`. Found by [java.util.ServiceLoader].
public interface Mode {
    /// `nftables`, `iptables` or `ipvs`.
    String name();

    Dataplane dataplane(Family family);

    /// What Pointsman and kube-proxy left in the network namespace of this thread, as far as it is
    /// this mode's to remove, in the order in which it can go. Only reads.
    List<Leftovers> leftovers();

    /// The names of modes whose rules may refer to what this one leaves: their leftovers go with
    /// those of this mode, and before them.
    default List<String> referrers() {
        return List.of();
    }

    /// What is on its way out of the kernel, but still has connections, in the network namespace of
    /// this thread; always nothing where the kernel keeps no connections of its own. Only reads.
    ///
    /// @throws DataplaneUnavailable when the kernel cannot be read
    default List<Draining> draining() {
        return List.of();
    }
}
