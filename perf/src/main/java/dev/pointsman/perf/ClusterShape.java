package dev.pointsman.perf;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.TrafficPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A generated IPv4 cluster: so many TCP Services of one port, each with so many ready endpoints,
/// spread over 100 nodes. The same numbers always give the same cluster.
///
/// @param services at most 500,000
/// @param endpoints of each Service; all Services together at most 8,000,000
public record ClusterShape(int services, int endpoints) {
    private static final Pattern TEXT = Pattern.compile("([1-9]\\d{0,5})x([1-9]\\d{0,4})");
    private static final int NODES = 100;
    private static final int SLICE_CAPACITY = 100;
    private static final int FIRST_CLUSTER_IP =
            ((IpAddress.Ipv4) IpAddress.parse("10.96.0.10")).bits();
    private static final int FIRST_POD_IP = ((IpAddress.Ipv4) IpAddress.parse("10.128.0.1")).bits();
    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

    public ClusterShape {
        if (services < 0
                || services > 500_000
                || endpoints < 0
                || (long) services * endpoints > 8_000_000) {
            throw new IllegalArgumentException(
                    services
                            + " Services with "
                            + endpoints
                            + " endpoints each do not fit the generated address ranges");
        }
    }

    /// As in `1000x5`.
    ///
    /// @throws IllegalArgumentException when it is none, with a message for whoever wrote it
    public static ClusterShape parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no SERVICESxENDPOINTS; give one as 1000x5");
        }
        return new ClusterShape(
                Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    /// Where pods of every node live.
    public Cidr podRange() {
        return Cidr.parse("10.128.0.0/9");
    }

    public Cidr serviceRange() {
        return Cidr.parse("10.96.0.0/12");
    }

    /// The node that rules are made for.
    public NodeView node() {
        return new NodeView(
                nodeName(0),
                "zone-0",
                List.of(IpAddress.parse("192.0.2.10")),
                List.of(Cidr.parse("10.128.0.0/24")));
    }

    public int nodes() {
        return NODES;
    }

    public String nodeName(int index) {
        return "worker-" + index % NODES;
    }

    public ServiceName name(int index) {
        return new ServiceName("bench-" + index % 50, "service-" + index);
    }

    public IpAddress clusterIp(int index) {
        return new IpAddress.Ipv4(FIRST_CLUSTER_IP + index);
    }

    /// The endpoint of Service `index` in place `slot`; places past the shape's own are spare pods.
    public IpAddress podIp(int index, int slot) {
        return new IpAddress.Ipv4(FIRST_POD_IP + slot * services + index);
    }

    public Service service(int index) {
        return new Service(
                name(index),
                CREATED,
                Service.Type.CLUSTER_IP,
                new Service.Addresses(List.of(clusterIp(index)), List.of(), List.of()),
                List.of(),
                TrafficPolicy.CLUSTER,
                TrafficPolicy.CLUSTER,
                new Affinity.None(),
                0,
                List.of(new Service.Port("http", Protocol.TCP, 80, 0)),
                "");
    }

    /// The slices of Service `index`, with the pods of `slots` as endpoints.
    public List<EndpointSlice> slices(int index, List<Integer> slots) {
        List<EndpointSlice> slices = new ArrayList<>();
        for (int from = 0; from < slots.size(); from += SLICE_CAPACITY) {
            List<EndpointSlice.Entry> entries = new ArrayList<>();
            for (int slot : slots.subList(from, Math.min(slots.size(), from + SLICE_CAPACITY))) {
                entries.add(
                        new EndpointSlice.Entry(
                                podIp(index, slot),
                                nodeName(index + slot),
                                EndpointSlice.Conditions.READY,
                                EndpointSlice.Hints.NONE));
            }
            slices.add(
                    new EndpointSlice(
                            name(index).name() + "-" + from / SLICE_CAPACITY,
                            name(index),
                            Family.IPV4,
                            List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
                            entries));
        }
        return slices;
    }

    /// The slots of a Service as generated: `0..endpoints-1`.
    public List<Integer> slots() {
        List<Integer> slots = new ArrayList<>();
        for (int slot = 0; slot < endpoints; slot++) {
            slots.add(slot);
        }
        return slots;
    }

    /// The whole cluster as the planner takes it.
    public List<ServiceState> states() {
        List<ServiceState> states = new ArrayList<>(services);
        for (int index = 0; index < services; index++) {
            states.add(new ServiceState.Present(service(index), slices(index, slots())));
        }
        return states;
    }
}
