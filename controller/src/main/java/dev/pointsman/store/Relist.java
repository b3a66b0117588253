package dev.pointsman.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Events that lead from one complete list to the next one, where no watch tells what was deleted
/// in between.
public final class Relist {
    private Relist() {}

    /// Everything in `after`, preceded by the end of whatever only `before` has. Lists hold what is
    /// seen; anything gone in them is ignored.
    public static List<ClusterEvent> between(
            Collection<ClusterEvent> before, Collection<ClusterEvent> after) {
        Set<ClusterEvent> kept = new HashSet<>();
        for (ClusterEvent event : after) {
            end(event).ifPresent(kept::add);
        }
        List<ClusterEvent> events = new ArrayList<>();
        for (ClusterEvent event : before) {
            end(event).filter(kept::add).ifPresent(events::add);
        }
        events.addAll(after);
        return events;
    }

    /// The event that takes back what `event` says; it serves as the identity of the object.
    private static Optional<ClusterEvent> end(ClusterEvent event) {
        return switch (event) {
            case ClusterEvent.ServiceSeen(var service) ->
                    Optional.of(new ClusterEvent.ServiceGone(service.name()));
            case ClusterEvent.SliceSeen(var slice, _) ->
                    Optional.of(
                            new ClusterEvent.SliceGone(slice.service().namespace(), slice.name()));
            case ClusterEvent.NodeSeen(var node, _) ->
                    Optional.of(new ClusterEvent.NodeGone(node.name()));
            case ClusterEvent.ServiceRangesSeen(var name, _) ->
                    Optional.of(new ClusterEvent.ServiceRangesGone(name));
            case ClusterEvent.ServiceGone _,
                    ClusterEvent.SliceGone _,
                    ClusterEvent.NodeGone _,
                    ClusterEvent.ServiceRangesGone _ ->
                    Optional.empty();
        };
    }
}
