package dev.pointsman.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ScaleTest {
    private static final NodeView NODE =
            new NodeView("this-node", "", List.of(IpAddress.parse("192.168.0.2")), List.of());
    private static final ServiceName NAME = new ServiceName("ns1", "web");

    /// Field report A10: Endpoints objects stop at 1,000; slices do not.
    @Test
    void ten_thousand_endpoints_in_a_hundred_slices_are_one_pool() {
        List<EndpointSlice> slices = new ArrayList<>();
        for (int slice = 0; slice < 100; slice++) {
            slices.add(
                    slice(slice, List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)), 100));
        }
        RuleGraph graph = plan(List.of(new Service.Port("http", Protocol.TCP, 80, 0)), slices);
        assertThat(graph.frontends()).hasSize(1);
        assertThat(pool(graph, 80).endpoints()).doesNotHaveDuplicates().hasSize(10_000);
    }

    /// Field report A11: each of many ports has endpoints with its own number.
    @Test
    void a_thousand_ports_reach_their_own_port_number() {
        List<Service.Port> ports = new ArrayList<>();
        List<EndpointSlice.Port> targets = new ArrayList<>();
        for (int port = 1; port <= 1000; port++) {
            ports.add(new Service.Port("p" + port, Protocol.TCP, port, 30_000 + port));
            targets.add(new EndpointSlice.Port("p" + port, Protocol.TCP, 10_000 + port));
        }
        RuleGraph graph = plan(ports, List.of(slice(0, targets, 50)));
        assertThat(graph.frontends()).hasSize(2000);
        for (int port = 1; port <= 1000; port++) {
            assertThat(pool(graph, port).endpoints())
                    .hasSize(50)
                    .extracting(Endpoint::port)
                    .containsOnly(10_000 + port);
        }
    }

    private static EndpointSlice slice(int number, List<EndpointSlice.Port> ports, int endpoints) {
        List<EndpointSlice.Entry> entries = new ArrayList<>();
        for (int i = 0; i < endpoints; i++) {
            entries.add(
                    new EndpointSlice.Entry(
                            new IpAddress.Ipv4(0x0a000000 + number * 256 + i),
                            "other-node",
                            EndpointSlice.Conditions.READY,
                            EndpointSlice.Hints.NONE));
        }
        return new EndpointSlice("slice-" + number, NAME, Family.IPV4, ports, entries);
    }

    private static RuleGraph plan(List<Service.Port> ports, List<EndpointSlice> slices) {
        Service service =
                new Service(
                        NAME,
                        Instant.EPOCH,
                        Service.Type.CLUSTER_IP,
                        new Service.Addresses(
                                List.of(IpAddress.parse("172.30.0.41")), List.of(), List.of()),
                        List.of(),
                        TrafficPolicy.CLUSTER,
                        TrafficPolicy.CLUSTER,
                        new Affinity.None(),
                        0,
                        ports,
                        "");
        Planner planner = new Planner(Family.IPV4, NODE, Settings.nftablesDefaults());
        planner.plan(List.of(new ServiceState.Present(service, slices)));
        return planner.graph();
    }

    private static Pool pool(RuleGraph graph, int port) {
        Treatment treatment =
                graph.frontends()
                        .get(
                                new Frontend.Address(
                                        IpAddress.parse("172.30.0.41"), Protocol.TCP, port));
        if (treatment == null
                || !(treatment.fromPod() instanceof Disposition.Balance(Pool pool, _))) {
            throw new AssertionError("nothing is balanced at port " + port);
        }
        return pool;
    }
}
