package dev.pointsman.store;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.TrafficPolicy;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Small objects of a cluster, for tests.
public final class Sample {
    private Sample() {}

    public static ServiceName name(String name) {
        return new ServiceName("shop", name);
    }

    /// A dual-stack Service whose cluster IPs end in `number`.
    public static Service service(String name, int number) {
        return service(name, number, List.of());
    }

    public static Service service(String name, int number, List<IpAddress> external) {
        return new Service(
                name(name),
                Instant.EPOCH.plusSeconds(number),
                Service.Type.CLUSTER_IP,
                new Service.Addresses(
                        List.of(
                                IpAddress.parse("10.96.0." + number),
                                IpAddress.parse("fd00:96::" + number)),
                        external,
                        List.of()),
                List.of(),
                TrafficPolicy.CLUSTER,
                TrafficPolicy.CLUSTER,
                new Affinity.None(),
                0,
                List.of(new Service.Port("http", Protocol.TCP, 80, 0)),
                "");
    }

    /// A slice of ready endpoints on node-a.
    public static EndpointSlice slice(String slice, String service, String... addresses) {
        return new EndpointSlice(
                slice,
                name(service),
                IpAddress.parse(addresses[0]).family(),
                List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
                Stream.of(addresses)
                        .map(
                                address ->
                                        new EndpointSlice.Entry(
                                                IpAddress.parse(address),
                                                "node-a",
                                                EndpointSlice.Conditions.READY,
                                                EndpointSlice.Hints.NONE))
                        .toList());
    }

    public static NodeView node(String name) {
        return new NodeView(
                name,
                "zone-1",
                List.of(IpAddress.parse("192.0.2.1"), IpAddress.parse("2001:db8::1")),
                List.of());
    }

    public static final List<Family> FAMILIES = List.of(Family.IPV4, Family.IPV6);

    /// What a cluster with one Service and one endpoint of each family says.
    public static List<ClusterEvent> cluster() {
        return List.of(
                new ClusterEvent.NodeSeen(node("node-a")),
                new ClusterEvent.ServiceSeen(service("web", 1)),
                new ClusterEvent.SliceSeen(slice("web-1", "web", "10.1.0.1")),
                new ClusterEvent.SliceSeen(slice("web-2", "web", "fd00:1::1")));
    }
}
