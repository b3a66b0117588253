package dev.pointsman.packet.scenario;

import dev.pointsman.graph.HealthCheck;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Outcome;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// What a scenario says must hold after a sync.
public sealed interface Expectation {

    /// Where it stands in its file.
    int line();

    /// Exactly `outcomes` can become of `flow`.
    record Ends(int line, Flow flow, SortedSet<Outcome> outcomes, Choice choice)
            implements Expectation {
        public Ends {
            outcomes = Collections.unmodifiableSortedSet(new TreeSet<>(outcomes));
        }
    }

    /// How one of several endpoints is chosen.
    enum Choice {
        /// Anew for each flow.
        FREE,
        /// By affinity: a client stays with the endpoint it was given first, as long as that one is
        /// among those possible.
        STICKY
    }

    /// The Service has this health-check node port.
    record Checked(int line, ServiceName service, HealthCheck check) implements Expectation {}

    /// The Service has no health-check node port.
    record Unchecked(int line, ServiceName service) implements Expectation {}
}
