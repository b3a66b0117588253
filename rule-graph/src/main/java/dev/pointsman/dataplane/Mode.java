package dev.pointsman.dataplane;

import dev.pointsman.graph.Family;

/// A way to program kernels, as users name it in `mode`. Found by [java.util.ServiceLoader].
public interface Mode {
    /// `nftables`, `iptables` or `ipvs`.
    String name();

    Dataplane dataplane(Family family);
}
