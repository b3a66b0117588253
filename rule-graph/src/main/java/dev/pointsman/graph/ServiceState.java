package dev.pointsman.graph;

import java.util.List;

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
    }

    /// No such Service, or none that this proxy serves.
    record Absent(ServiceName name) implements ServiceState {}
}
