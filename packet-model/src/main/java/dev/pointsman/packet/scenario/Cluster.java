package dev.pointsman.packet.scenario;

import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import java.util.List;

/// Everything that holds at one moment of a scenario, for those that plan for themselves.
public record Cluster(NodeView node, Settings settings, List<ServiceState.Present> services) {
    public Cluster {
        services = List.copyOf(services);
    }
}
