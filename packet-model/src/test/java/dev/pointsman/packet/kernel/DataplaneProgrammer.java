package dev.pointsman.packet.kernel;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.scenario.Sync;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/// Programs by the dataplanes of one backend, one for each family.
final class DataplaneProgrammer implements Programmer {
    private record Programmed(Dataplane dataplane, RuleGraph graph) {}

    private final Function<Family, Dataplane> open;
    private final Map<Family, Programmed> families = new EnumMap<>(Family.class);

    DataplaneProgrammer(Function<Family, Dataplane> open) {
        this.open = open;
    }

    @Override
    public void program(Sync sync) {
        sync.transitions()
                .forEach(
                        (family, transition) -> {
                            Programmed before = families.get(family);
                            Dataplane dataplane =
                                    before == null ? open.apply(family) : before.dataplane();
                            families.put(family, new Programmed(dataplane, transition.after()));
                            commit(dataplane, transition.before(), transition.delta());
                            Transaction missing = dataplane.repair(transition.after());
                            if (!missing.size().isEmpty()) {
                                throw new AssertionError(
                                        "the kernel does not hold what was committed; to repair: "
                                                + missing.text());
                            }
                        });
    }

    @Override
    public void remove() {
        families.forEach(
                (family, programmed) -> {
                    try (Dataplane dataplane = programmed.dataplane()) {
                        RuleGraph graph = programmed.graph();
                        commit(dataplane, graph, Delta.between(graph, RuleGraph.nothing(family)));
                    }
                });
    }

    private static void commit(Dataplane dataplane, RuleGraph before, Delta delta) {
        Transaction transaction = dataplane.render(before, delta);
        Commit commit = dataplane.commit(transaction);
        if (!(commit instanceof Commit.Applied)) {
            throw new AssertionError(commit + " answers " + transaction.text());
        }
    }
}
