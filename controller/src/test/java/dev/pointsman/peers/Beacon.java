package dev.pointsman.peers;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.TrafficPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A Service that is written after all others, with another port each time: where the rules have
/// its number, for the Service and for the endpoint, kube-proxy has seen everything before it.
///
/// @param addresses its cluster IPs
record Beacon(List<IpAddress> addresses) {
    private static final ServiceName NAME = new ServiceName("beacon", "beacon");
    private static final String PORT = "port";

    Beacon {
        addresses = List.copyOf(addresses);
    }

    /// One at the end of each range: not at the very end, which is no host's.
    static Beacon within(List<Cidr> serviceRanges) {
        List<IpAddress> addresses = new ArrayList<>();
        for (Cidr range : serviceRanges) {
            byte[] bytes = range.last().bytes();
            bytes[bytes.length - 1]--;
            addresses.add(IpAddress.of(bytes));
        }
        return new Beacon(addresses);
    }

    ServiceState.Present state(int number) {
        List<EndpointSlice> slices = new ArrayList<>();
        for (Family family : Family.values()) {
            slices.add(
                    new EndpointSlice(
                            family.title(),
                            NAME,
                            family,
                            List.of(new EndpointSlice.Port(PORT, Protocol.TCP, number)),
                            List.of(
                                    new EndpointSlice.Entry(
                                            endpoint(family),
                                            "beacons-node",
                                            EndpointSlice.Conditions.READY,
                                            EndpointSlice.Hints.NONE))));
        }
        return new ServiceState.Present(
                new Service(
                        NAME,
                        Instant.EPOCH,
                        Service.Type.CLUSTER_IP,
                        new Service.Addresses(addresses, List.of(), List.of()),
                        List.of(),
                        TrafficPolicy.CLUSTER,
                        TrafficPolicy.CLUSTER,
                        new Affinity.None(),
                        0,
                        List.of(new Service.Port(PORT, Protocol.TCP, number, 0)),
                        ""),
                slices);
    }

    private static IpAddress endpoint(Family family) {
        return IpAddress.parse(
                switch (family) {
                    case IPV4 -> "100.64.0.1";
                    case IPV6 -> "2001:db8:64::1";
                });
    }

    /// Whether rules of `family`, as printed, have the port `number`.
    boolean isIn(String dump, Family family, int number) {
        String target =
                switch (family) {
                    case IPV4 -> endpoint(family) + ":" + number;
                    case IPV6 -> "[" + endpoint(family) + "]:" + number;
                };
        return dump.contains(target)
                && (dump.contains(". tcp . " + number + " : goto")
                        || dump.contains("--dport " + number + " ")
                        || dump.contains(":" + number + " -r " + target + " "));
    }
}
