package dev.pointsman;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Family;
import dev.pointsman.sync.InMemoryKernel;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// A mode named nftables whose kernels are in memory and outlive the dataplanes opened on them.
final class InMemoryMode implements Mode {
    private final Map<Family, InMemoryKernel> kernels = new EnumMap<>(Family.class);

    InMemoryMode() {
        for (Family family : Family.values()) {
            kernels.put(family, new InMemoryKernel(family));
        }
    }

    InMemoryKernel kernel(Family family) {
        return Objects.requireNonNull(kernels.get(family));
    }

    @Override
    public String name() {
        return "nftables";
    }

    @Override
    public Dataplane dataplane(Family family) {
        return kernel(family);
    }
}
