package dev.pointsman.graph;

import java.util.List;
import java.util.SortedSet;

/// Everything the cluster says about one Service name at one moment.
public sealed interface ServiceState {
    ServiceName name();

    /// A Service that this proxy serves.
    ///
    /// @param slices all its slices, in the order of their names
    record Present(Service service, List<EndpointSlice> slices) implements ServiceState {
        public Present {
            slices = List.copyOf(slices);
        }

        @Override
        public ServiceName name() {
            return service.name();
        }

        /// Where flows to `port` may stay that were sent there before (behaviour document 4).
        ///
        /// @param port one of this Service
        public SortedSet<Endpoint> answering(ServicePortName port, Family family, NodeView node) {
            return EndpointSelection.answering(port, family, slices, node);
        }
    }

    /// No such Service, or none that this proxy serves.
    record Absent(ServiceName name) implements ServiceState {}
}
