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
}
