package dev.pointsman.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.TrafficPolicy;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.store.ClusterEvent;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Real flows through real rules of mode nftables, with Service `shop/dns` at 10.96.0.53 port 53
/// and a node port.
final class FlowCleanupKernelTest {
    private static final ServiceName NAME = new ServiceName("shop", "dns");
    private static final String VIP = "10.96.0.53";
    private static final ClusterEvent NODE =
            new ClusterEvent.NodeSeen(
                    new NodeView("node-a", "", List.of(IpAddress.parse("192.0.2.1")), List.of()));

    private static ClusterEvent service(int nodePort) {
        return new ClusterEvent.ServiceSeen(
                new Service(
                        NAME,
                        Instant.EPOCH,
                        Service.Type.NODE_PORT,
                        new Service.Addresses(List.of(IpAddress.parse(VIP)), List.of(), List.of()),
                        List.of(),
                        TrafficPolicy.CLUSTER,
                        TrafficPolicy.CLUSTER,
                        new Affinity.None(),
                        0,
                        List.of(new Service.Port("dns", Protocol.UDP, 53, nodePort)),
                        ""));
    }

    private static ClusterEvent endpoints(String... addresses) {
        return new ClusterEvent.SliceSeen(
                new EndpointSlice(
                        "dns-1",
                        NAME,
                        Family.IPV4,
                        List.of(new EndpointSlice.Port("dns", Protocol.UDP, 5353)),
                        Stream.of(addresses)
                                .map(
                                        address ->
                                                new EndpointSlice.Entry(
                                                        IpAddress.parse(address),
                                                        "node-a",
                                                        EndpointSlice.Conditions.READY,
                                                        EndpointSlice.Hints.NONE))
                                .toList()));
    }

    private static void checkDecoys(UdpTown town) {
        assertThat(town.decoys()).as("decoys that are left").isEqualTo(UdpTown.allDecoys());
    }

    @KernelTest(tools = {"nft", "conntrack"})
    void a_flow_leaves_an_endpoint_that_is_removed_and_no_other_flow_moves() throws Exception {
        try (UdpTown town = new UdpTown()) {
            assertThat(town.begin(NODE, service(30053), endpoints("10.1.0.1")).result().deleted())
                    .isZero();
            assertThat(town.ask(VIP, 53)).isEqualTo("10.1.0.1");
            assertThat(town.take(endpoints("10.1.0.1", "10.1.0.2")).result().deleted()).isZero();
            assertThat(town.ask(VIP, 53)).isEqualTo("10.1.0.1");

            assertThat(town.take(endpoints("10.1.0.2")).result().deleted()).isEqualTo(1);
            assertThat(town.ask(VIP, 53)).isEqualTo("10.1.0.2");
            checkDecoys(town);
        }
    }

    @KernelTest(tools = {"nft", "conntrack"})
    void a_flow_from_before_the_first_endpoint_gets_one() throws Exception {
        try (UdpTown town = new UdpTown()) {
            assertThat(town.ask(VIP, 53)).isEmpty();
            assertThat(town.flows()).hasSize(1).allMatch(line -> line.contains("src=" + VIP));
            assertThat(town.begin(NODE, service(30053)).result().deleted())
                    .as("without an endpoint it has nowhere to go")
                    .isZero();
            assertThat(town.take(endpoints("10.1.0.3")).result().deleted()).isEqualTo(1);
            assertThat(town.ask(VIP, 53)).isEqualTo("10.1.0.3");
            checkDecoys(town);
        }
    }

    @KernelTest(tools = {"nft", "conntrack"})
    void a_flow_to_the_last_endpoint_ends_with_it() throws Exception {
        try (UdpTown town = new UdpTown()) {
            town.begin(NODE, service(30053), endpoints("10.1.0.1"));
            assertThat(town.ask(VIP, 53)).isEqualTo("10.1.0.1");
            assertThat(town.take(endpoints()).result().deleted()).isEqualTo(1);
            assertThat(town.ask(VIP, 53)).isEmpty();
            assertThat(town.flows()).isEmpty();
            checkDecoys(town);
        }
    }

    @KernelTest(tools = {"nft", "conntrack"})
    void flows_to_a_deleted_service_end() throws Exception {
        try (UdpTown town = new UdpTown()) {
            town.begin(NODE, service(30053), endpoints("10.1.0.1"));
            assertThat(town.ask(VIP, 53)).isEqualTo("10.1.0.1");
            assertThat(town.ask("192.0.2.1", 30053)).isEqualTo("10.1.0.1");
            assertThat(town.take(new ClusterEvent.ServiceGone(NAME)).result().deleted())
                    .isEqualTo(2);
            assertThat(town.ask(VIP, 53)).isEmpty();
            checkDecoys(town);
        }
    }

    @KernelTest(tools = {"nft", "conntrack"})
    void a_flow_to_a_node_port_ends_when_the_port_is_another_one() throws Exception {
        try (UdpTown town = new UdpTown()) {
            town.begin(NODE, service(30053), endpoints("10.1.0.1"));
            assertThat(town.ask("192.0.2.1", 30053)).isEqualTo("10.1.0.1");
            assertThat(town.take(service(30054)).result().deleted()).isEqualTo(1);
            assertThat(town.ask("192.0.2.1", 30053)).isEmpty();
            assertThat(town.ask("192.0.2.1", 30054)).isEqualTo("10.1.0.1");
            checkDecoys(town);
        }
    }

    @KernelTest(tools = {"nft", "conntrack"})
    void a_restart_deletes_what_went_stale_meanwhile_and_nothing_else() throws Exception {
        try (UdpTown town = new UdpTown()) {
            ClusterEvent both = endpoints("10.1.0.1", "10.1.0.2");
            town.begin(NODE, service(30053), endpoints("10.1.0.1"));
            assertThat(town.ask(VIP, 53)).isEqualTo("10.1.0.1");
            town.take(both);
            List<String> before = town.flows();

            assertThat(town.restart(NODE, service(30053), both).result().deleted()).isZero();
            assertThat(town.flows()).hasSameSizeAs(before);
            assertThat(town.ask(VIP, 53)).isEqualTo("10.1.0.1");

            assertThat(town.restart(NODE, service(30053), endpoints("10.1.0.2")).result().deleted())
                    .isEqualTo(1);
            assertThat(town.ask(VIP, 53)).isEqualTo("10.1.0.2");
            checkDecoys(town);
        }
    }

    @KernelTest(tools = {"nft", "conntrack"})
    void a_change_that_moves_no_udp_flow_looks_at_none() throws Exception {
        try (UdpTown town = new UdpTown()) {
            town.begin(NODE, service(30053), endpoints("10.1.0.1"));
            town.take(endpoints("10.1.0.1", "10.1.0.2"));
            assertThat(town.saidNothing()).isTrue();
        }
    }

    /// Half of ten thousand flows go to an endpoint that is removed.
    @KernelTest(tools = {"nft", "conntrack"})
    void of_ten_thousand_flows_exactly_the_stale_ones_go() throws Exception {
        int all = 10_000;
        try (UdpTown town = new UdpTown()) {
            town.begin(NODE, service(30053), endpoints("10.1.0.1", "10.1.0.2"));
            StringBuilder entries = new StringBuilder();
            for (int i = 0; i < all; i++) {
                entries.append(entry(20000 + i, "10.1.0." + (1 + i % 2)));
            }
            town.node.feed(entries.toString(), "conntrack", "-R", "-");
            SyncReport.FlowsCleaned cleaned = town.take(endpoints("10.1.0.2"));
            assertThat(cleaned.result().deleted()).isEqualTo(all / 2);
            assertThat(cleaned.result().listed()).isGreaterThanOrEqualTo(all);
            assertThat(cleaned.result().remarks()).isEmpty();
            assertThat(town.take(endpoints("10.1.0.2", "10.1.0.3")).result().deleted()).isZero();
            assertThat(town.node.run("conntrack", "-L", "-r", "10.1.0.2").lines())
                    .hasSizeGreaterThanOrEqualTo(all / 2);
            checkDecoys(town);
            System.out.println("ten thousand flows: " + cleaned);
        }
    }

    private static String entry(int port, String answerer) {
        return "-I -p udp -t 600 -s 10.1.0.9 -d "
                + VIP
                + " --sport "
                + port
                + " --dport 53 -r "
                + answerer
                + " -q 10.1.0.9 --reply-port-src 5353 --reply-port-dst "
                + port
                + "\n";
    }
}
