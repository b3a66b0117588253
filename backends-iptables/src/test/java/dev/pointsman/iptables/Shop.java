package dev.pointsman.iptables;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
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

/// A small cluster under the defaults of iptables mode: node `here` has pods in 10.244.1.0/24.
final class Shop {

    /// What a Service of the shop is like.
    enum Style {
        CLUSTER_IP,
        NODE_PORT,
        STICKY,
        BALANCER_LOCAL_RANGED
    }

    private Shop() {}

    static Planner planner() {
        return new Planner(
                Family.IPV4,
                new NodeView(
                        "here",
                        "",
                        List.of(IpAddress.parse("192.0.2.11")),
                        List.of(Cidr.parse("10.244.1.0/24"))),
                Settings.iptablesDefaults()
                        .withDetectLocal(
                                new Settings.DetectLocal.ClusterRanges(
                                        List.of(Cidr.parse("10.244.0.0/16")))));
    }

    /// A TCP Service on port 80.
    ///
    /// @param endpoints addresses of pods at port 8080; those in 10.244.1.0/24 are here
    static ServiceState service(int number, Style style, String... endpoints) {
        ServiceName name = new ServiceName("shop", "s" + number);
        boolean balancer = style == Style.BALANCER_LOCAL_RANGED;
        boolean hasNodePort = balancer || style == Style.NODE_PORT;
        Service service =
                new Service(
                        name,
                        Instant.EPOCH,
                        balancer ? Service.Type.LOAD_BALANCER : Service.Type.NODE_PORT,
                        new Service.Addresses(
                                List.of(IpAddress.parse("10.96.0." + number)),
                                List.of(),
                                balancer
                                        ? List.of(IpAddress.parse("203.0.113." + number))
                                        : List.of()),
                        balancer ? List.of(Cidr.parse("198.51.100.0/24")) : List.of(),
                        TrafficPolicy.CLUSTER,
                        balancer ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER,
                        style == Style.STICKY ? new Affinity.ClientIp(10800) : new Affinity.None(),
                        balancer ? 32000 : 0,
                        List.of(
                                new Service.Port(
                                        "http",
                                        Protocol.TCP,
                                        80,
                                        hasNodePort ? 30000 + number : 0)),
                        "");
        List<EndpointSlice.Entry> entries = new ArrayList<>();
        for (String endpoint : endpoints) {
            entries.add(
                    new EndpointSlice.Entry(
                            IpAddress.parse(endpoint),
                            endpoint.startsWith("10.244.1.") ? "here" : "there",
                            EndpointSlice.Conditions.READY,
                            EndpointSlice.Hints.NONE));
        }
        return new ServiceState.Present(
                service,
                List.of(
                        new EndpointSlice(
                                "slice",
                                name,
                                Family.IPV4,
                                List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
                                entries)));
    }
}
