package dev.pointsman.serve;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.RuleGraph;
import java.util.Collection;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// What the kernel held after the last sync of each family. Written on the loop's thread, read on
/// any.
final class Graphs {
    private final SortedMap<Family, RuleGraph> graphs = new ConcurrentSkipListMap<>();

    void settled(RuleGraph graph) {
        graphs.put(graph.family(), graph);
    }

    Collection<RuleGraph> all() {
        return graphs.values();
    }
}
