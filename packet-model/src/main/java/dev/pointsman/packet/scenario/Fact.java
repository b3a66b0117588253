package dev.pointsman.packet.scenario;

import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.Settings;

/// One thing that a scenario says about the cluster.
public sealed interface Fact {
    record Node(NodeView node) implements Fact {}

    record Configuration(Settings settings) implements Fact {}

    /// The whole Service is as given.
    record ServiceIs(Service service) implements Fact {}

    /// The Service is gone, with its endpoints.
    record ServiceGone(ServiceName name) implements Fact {}

    record EndpointIs(EndpointPlace place, EndpointSlice.Entry entry) implements Fact {}

    record EndpointGone(EndpointPlace place) implements Fact {}
}
