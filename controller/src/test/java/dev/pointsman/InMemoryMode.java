package dev.pointsman;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Draining;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.sync.InMemoryKernel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// A mode whose kernels are in memory and outlive the dataplanes opened on them.
final class InMemoryMode implements Mode {
    private final String name;
    private final List<String> referrers;
    private final Map<Family, InMemoryKernel> kernels = new EnumMap<>(Family.class);
    private final List<Leftovers> ofOthers = new ArrayList<>();

    private final List<Draining> draining = new ArrayList<>();
    private Optional<DataplaneUnavailable> obstacle = Optional.empty();

    /// One named nftables.
    InMemoryMode() {
        this("nftables");
    }

    /// @param referrers modes whose rules refer to what this one leaves
    InMemoryMode(String name, String... referrers) {
        this.name = name;
        this.referrers = List.of(referrers);
        for (Family family : Family.values()) {
            kernels.put(family, new InMemoryKernel(family));
        }
    }

    InMemoryKernel kernel(Family family) {
        return Objects.requireNonNull(kernels.get(family));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Dataplane dataplane(Family family) {
        return kernel(family);
    }

    /// Puts something there that another proxy made.
    void holds(Leftovers leftovers) {
        ofOthers.add(leftovers);
    }

    @Override
    public List<Leftovers> leftovers() {
        List<Leftovers> all = new ArrayList<>();
        kernels.forEach((family, kernel) -> all.addAll(leftovers(family, kernel)));
        all.addAll(ofOthers);
        return all;
    }

    @Override
    public List<String> referrers() {
        return referrers;
    }

    /// Keeps a real server with its connections.
    void drains(Draining real) {
        draining.add(real);
    }

    /// Refuses to say what drains.
    void cannotTell(DataplaneUnavailable why) {
        obstacle = Optional.of(why);
    }

    @Override
    public List<Draining> draining() {
        obstacle.ifPresent(
                why -> {
                    throw why;
                });
        return List.copyOf(draining);
    }

    private static List<Leftovers> leftovers(Family family, InMemoryKernel kernel) {
        try {
            Transaction removal = kernel.repair(RuleGraph.nothing(family));
            return removal.size().isEmpty()
                    ? List.of()
                    : List.of(
                            new Leftovers.Found(
                                    "memory",
                                    Leftovers.Maker.POINTSMAN,
                                    List.of("rules " + family.title()),
                                    () -> kernel.commit(removal)));
        } catch (DataplaneUnavailable e) {
            return List.of(new Leftovers.Unreadable(e));
        }
    }
}
