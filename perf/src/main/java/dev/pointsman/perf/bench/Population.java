package dev.pointsman.perf.bench;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.perf.ClusterObjects;
import dev.pointsman.perf.ClusterShape;
import dev.pointsman.perf.api.Kind;
import dev.pointsman.perf.api.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ObjectNode;

/// A generated cluster in a [Store], and who is behind its Services.
final class Population {
    private final ClusterShape shape;
    private final ClusterObjects objects;
    private final Store store;
    private final Map<Integer, List<Integer>> changed = new HashMap<>();

    /// Puts all of it into `store`.
    Population(ClusterShape shape, Store store) {
        this.shape = shape;
        this.store = store;
        objects = new ClusterObjects(shape);
        objects.all().forEach(store::put);
    }

    ClusterShape shape() {
        return shape;
    }

    private List<Integer> slots(int service) {
        return changed.getOrDefault(service, shape.slots());
    }

    /// The endpoints that Service `service` has now.
    Set<IpAddress> endpoints(int service) {
        return slots(service).stream()
                .map(slot -> shape.podIp(service, slot))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// Gives a Service other endpoints, and returns when the API server has confirmed that.
    ///
    /// @param slots as [ClusterShape#podIp] counts
    void replace(int service, List<Integer> slots) {
        List<ObjectNode> before = objects.slices(service, slots(service));
        List<ObjectNode> after = objects.slices(service, slots);
        after.forEach(store::put);
        for (ObjectNode left :
                before.subList(Math.min(after.size(), before.size()), before.size())) {
            store.delete(
                    Kind.ENDPOINT_SLICE,
                    shape.name(service).namespace(),
                    left.path("metadata").path("name").asString());
        }
        changed.put(service, List.copyOf(slots));
    }

    /// Gives a Service as many endpoints as the shape says, none of which it has.
    void renew(int service) {
        int past = 1 + slots(service).stream().mapToInt(slot -> slot).max().orElse(0);
        int first = past > shape.endpoints() ? 0 : past;
        replace(service, IntStream.range(first, first + shape.endpoints()).boxed().toList());
    }

    /// Services spread over the list, its first and its last among them.
    ///
    /// @param most how many
    List<Integer> spread(int most) {
        int count = Math.min(most, shape.services());
        return IntStream.range(0, count)
                .map(i -> (int) ((long) i * (shape.services() - 1) / Math.max(1, count - 1)))
                .boxed()
                .toList();
    }
}
