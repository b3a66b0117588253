package dev.pointsman.nftables;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.TrafficPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// Small clusters at random, out of so few names and addresses that two of them have much in
/// common, and that Services contend for addresses.
final class RandomCluster {
    private static final List<ServiceName> NAMES =
            List.of(
                    new ServiceName("default", "kubernetes"),
                    new ServiceName("kube-system", "dns"),
                    new ServiceName("shop", "cart"),
                    new ServiceName("shop", "search"),
                    new ServiceName("web", "front"));

    private final Family family;
    private final Random random;

    RandomCluster(Family family, Random random) {
        this.family = family;
        this.random = random;
    }

    /// The state of every name, most of them present.
    List<ServiceState> services() {
        List<ServiceState> states = new ArrayList<>();
        for (int i = 0; i < NAMES.size(); i++) {
            states.add(random.nextInt(5) == 0 ? new ServiceState.Absent(NAMES.get(i)) : service(i));
        }
        Collections.shuffle(states, random);
        return states;
    }

    NodeView node() {
        return new NodeView(
                "here",
                "",
                List.of(ip("192.168.0.2", "fd00:1::2")),
                random.nextBoolean() ? List.of(cidr("10.1.0.0/24", "fd00:a:0:1::/64")) : List.of());
    }

    Settings settings() {
        Settings.DetectLocal detector =
                oneOf(
                        new Settings.DetectLocal.ClusterRanges(
                                List.of(cidr("10.1.0.0/16", "fd00:a::/48"))),
                        new Settings.DetectLocal.ClusterRanges(List.of()),
                        new Settings.DetectLocal.NodeRanges(),
                        new Settings.DetectLocal.BridgeInterface("br0"),
                        new Settings.DetectLocal.InterfacePrefix("cali"));
        return new Settings(
                detector,
                oneOf(14, 15),
                oneOf(Settings.MasqueradeScope.NOT_FROM_PODS, Settings.MasqueradeScope.ALL),
                oneOf(
                        List.of(new Settings.NodePortRange.Primary()),
                        List.of(new Settings.NodePortRange.All()),
                        List.of(new Settings.NodePortRange.Localhost()),
                        List.of(
                                new Settings.NodePortRange.Range(
                                        cidr("192.168.0.0/17", "fd00:1::/61")),
                                new Settings.NodePortRange.Range(cidr("0.0.0.0/1", "::/1")))),
                oneOf(Settings.ClusterIpGuard.ON, Settings.ClusterIpGuard.OFF),
                Settings.ExternalIps.ALLOWED,
                random.nextBoolean() ? List.of(cidr("10.96.0.0/12", "fd00:96::/108")) : List.of(),
                IpvsSettings.DEFAULTS);
    }

    private ServiceState service(int index) {
        ServiceName name = NAMES.get(index);
        List<Service.Port> ports = new ArrayList<>();
        ports.add(
                new Service.Port(
                        "http", Protocol.TCP, 80, random.nextBoolean() ? 30080 + index : 0));
        if (random.nextBoolean()) {
            ports.add(new Service.Port("dns", Protocol.UDP, 53, random.nextBoolean() ? 30053 : 0));
        }
        Service service =
                new Service(
                        name,
                        Instant.EPOCH.plusSeconds(index),
                        oneOf(Service.Type.values()),
                        new Service.Addresses(
                                List.of(ip("10.96.0." + (index + 1), "fd00:96::" + (index + 1))),
                                random.nextInt(3) == 0
                                        ? List.of(ip("192.168.0.2", "fd00:1::2"))
                                        : List.of(),
                                random.nextInt(3) == 0
                                        ? List.of(ip("203.0.113.7", "2001:db8::7"))
                                        : List.of()),
                        ranges(),
                        oneOf(TrafficPolicy.values()),
                        oneOf(TrafficPolicy.values()),
                        oneOf(
                                new Affinity.None(),
                                new Affinity.None(),
                                new Affinity.ClientIp(10800),
                                new Affinity.ClientIp(90)),
                        0,
                        ports,
                        "");
        return new ServiceState.Present(service, slices(name));
    }

    private List<Cidr> ranges() {
        List<Cidr> ranges = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            ranges.add(
                    oneOf(
                            cidr("203.0.113.0/24", "2001:db8:1::/48"),
                            cidr("203.0.113.128/25", "2001:db8:1:8000::/49"),
                            cidr("192.168.0.0/16", "fd00:1::/32"),
                            cidr("0.0.0.0/0", "::/0"),
                            cidr("8.8.8.8/32", "2001:db8:8::8/128")));
        }
        return ranges;
    }

    private List<EndpointSlice> slices(ServiceName name) {
        List<EndpointSlice.Entry> entries = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            if (random.nextBoolean()) {
                boolean here = i <= 2;
                entries.add(
                        new EndpointSlice.Entry(
                                ip(
                                        "10.1." + (here ? 0 : i) + "." + i,
                                        "fd00:a:0:" + (here ? 1 : i + 10) + "::" + i),
                                here ? "here" : "there",
                                oneOf(
                                        EndpointSlice.Conditions.READY,
                                        EndpointSlice.Conditions.READY,
                                        new EndpointSlice.Conditions(false, true, true)),
                                EndpointSlice.Hints.NONE));
            }
        }
        return List.of(
                new EndpointSlice(
                        name.name() + "-1",
                        name,
                        family,
                        List.of(
                                new EndpointSlice.Port("http", Protocol.TCP, 8080),
                                new EndpointSlice.Port("dns", Protocol.UDP, 5353)),
                        entries));
    }

    private IpAddress ip(String ipv4, String ipv6) {
        return IpAddress.parse(family == Family.IPV4 ? ipv4 : ipv6);
    }

    private Cidr cidr(String ipv4, String ipv6) {
        return Cidr.parse(family == Family.IPV4 ? ipv4 : ipv6);
    }

    @SafeVarargs
    private <T> T oneOf(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
