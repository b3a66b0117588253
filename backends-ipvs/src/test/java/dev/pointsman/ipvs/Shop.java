package dev.pointsman.ipvs;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.TrafficPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Services at cluster IPs 10.96.0.1 and on, port 80, and their endpoints at port 8080.
final class Shop {
    private Shop() {}

    static Planner planner(IpvsSettings ipvs) {
        Settings defaults = Settings.ipvsDefaults();
        return new Planner(
                Family.IPV4,
                new NodeView(
                        "here",
                        "",
                        List.of(IpAddress.parse("192.0.2.11")),
                        List.of(Cidr.parse("10.244.1.0/24"))),
                new Settings(
                        new Settings.DetectLocal.ClusterRanges(
                                List.of(Cidr.parse("10.244.0.0/16"))),
                        defaults.masqueradeBit(),
                        defaults.masquerade(),
                        defaults.nodePortAddresses(),
                        defaults.clusterIpGuard(),
                        defaults.externalIps(),
                        List.of(Cidr.parse("10.96.0.0/12")),
                        ipvs));
    }

    static ServiceState service(int number, String... endpoints) {
        return service(number, Protocol.TCP, "", endpoints);
    }

    /// @param scheduler empty for the node's
    static ServiceState service(
            int number, Protocol protocol, String scheduler, String... endpoints) {
        ServiceName name = new ServiceName("shop", "s" + number);
        Service service =
                new Service(
                        name,
                        Instant.EPOCH,
                        Service.Type.NODE_PORT,
                        new Service.Addresses(
                                List.of(IpAddress.parse("10.96.0." + number)),
                                List.of(),
                                List.of()),
                        List.of(),
                        TrafficPolicy.CLUSTER,
                        TrafficPolicy.CLUSTER,
                        new Affinity.None(),
                        0,
                        List.of(new Service.Port("web", protocol, 80, 30000 + number)),
                        scheduler);
        List<EndpointSlice.Entry> entries = new ArrayList<>();
        for (String endpoint : endpoints) {
            entries.add(entry(endpoint));
        }
        return new ServiceState.Present(
                service,
                List.of(
                        new EndpointSlice(
                                "s" + number + "-1",
                                name,
                                Family.IPV4,
                                List.of(new EndpointSlice.Port("web", protocol, 8080)),
                                entries)));
    }

    private static EndpointSlice.Entry entry(String address) {
        return new EndpointSlice.Entry(
                IpAddress.parse(address),
                "there",
                EndpointSlice.Conditions.READY,
                EndpointSlice.Hints.NONE);
    }
}
