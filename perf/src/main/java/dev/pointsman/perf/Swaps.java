package dev.pointsman.perf;

import dev.pointsman.graph.ServiceState;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Single changes of a generated cluster: one endpoint of one Service is replaced, again and again.
/// Always the same ones.
final class Swaps {
    private final ClusterShape shape;
    private final Random random = new Random(1);
    private final List<List<Integer>> slots = new ArrayList<>();

    Swaps(ClusterShape shape) {
        this.shape = shape;
        for (int index = 0; index < shape.services(); index++) {
            slots.add(new ArrayList<>(shape.slots()));
        }
    }

    /// @param slots its endpoints from now on, as [ClusterShape#slices] takes them
    record Swap(int service, List<Integer> slots) {
        Swap {
            slots = List.copyOf(slots);
        }
    }

    /// The Service that changes next, as it then is.
    ServiceState next() {
        Swap swap = swap();
        return new ServiceState.Present(
                shape.service(swap.service()), shape.slices(swap.service(), swap.slots()));
    }

    /// What changes next.
    Swap swap() {
        int index = random.nextInt(shape.services());
        List<Integer> now = slots.get(index);
        int place = random.nextInt(now.size());
        now.set(place, (now.get(place) + shape.endpoints()) % (2 * shape.endpoints()));
        return new Swap(index, now);
    }
}
