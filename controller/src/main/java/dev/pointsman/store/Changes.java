package dev.pointsman.store;

import dev.pointsman.graph.ServiceName;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;

/// What must be planned again.
///
/// @param services that appeared, changed or went
/// @param triggers of slices of these Services
public record Changes(SortedSet<ServiceName> services, Reach reach, List<Trigger> triggers) {

    /// How far a change goes beyond the Services named.
    public enum Reach {
        THESE_SERVICES,
        /// The Node or the service ranges changed, which can change the rules of every Service.
        WHOLE_NODE
    }

    public Changes {
        services = Collections.unmodifiableSortedSet(services);
        triggers = List.copyOf(triggers);
    }

    /// Changes that no slice told.
    public Changes(SortedSet<ServiceName> services, Reach reach) {
        this(services, reach, List.of());
    }
}
