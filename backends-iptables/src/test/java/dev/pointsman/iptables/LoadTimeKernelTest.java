package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.TrafficPolicy;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/// Prints how long it takes to load many Services and to change one of them. Nothing is asserted of
/// that: machines differ. `-Dload.services=10000` loads more than 5,000, `-Dload.variant=legacy`
/// into the other variant.
final class LoadTimeKernelTest {
    private static final int ENDPOINTS = 5;

    @KernelTest(tools = {"iptables-nft-restore", "iptables-legacy-restore"})
    void five_thousand_services() throws Exception {
        int services = Integer.getInteger("load.services", 5000);
        IptablesMode.Choice choice =
                System.getProperty("load.variant", "nft").equals("legacy")
                        ? IptablesMode.Choice.LEGACY
                        : IptablesMode.Choice.NFT;
        try (TestNamespace node = TestNamespace.create()) {
            node.namespace()
                    .call(
                            () -> {
                                measure(services, choice);
                                return true;
                            });
        }
    }

    private static void measure(int services, IptablesMode.Choice choice) {
        Planner planner =
                new Planner(
                        Family.IPV4,
                        new NodeView("here", "", List.of(IpAddress.parse("192.0.2.1")), List.of()),
                        Settings.iptablesDefaults());
        List<ServiceState> states = new ArrayList<>();
        Random addresses = new Random(1);
        for (int i = 0; i < services; i++) {
            states.add(service(i, 0x0a600000 | addresses.nextInt(1 << 20), 0));
        }
        try (Dataplane dataplane = new IptablesMode(choice).dataplane(Family.IPV4)) {
            RuleGraph nothing = planner.graph();
            Delta load = planner.plan(states);
            // The first question finds out about the node.
            timed("repair of an empty node", () -> dataplane.repair(planner.graph()));
            Transaction first = timed("render", () -> dataplane.render(nothing, load));
            System.out.println(first.size());
            applied(timed("first load", () -> dataplane.commit(first)));
            System.out.println("rules on the way to a Service: " + comparisons(planner.graph()));
            Transaction repair = timed("repair", () -> dataplane.repair(planner.graph()));
            assertThat(repair.text()).isEmpty();
            for (int round = 1; round <= 5; round++) {
                RuleGraph before = planner.graph();
                Delta change = planner.plan(List.of(service(17, 0x0a600001, round)));
                Transaction one = timed("render one", () -> dataplane.render(before, change));
                applied(timed("commit one", () -> dataplane.commit(one)));
            }
            timed("look", dataplane::condition);
        }
    }

    /// How many rules of the tree a packet meets, for the first, the median and the last Service.
    private static List<Integer> comparisons(RuleGraph graph) {
        Dispatch tree =
                new Dispatch(Block.everything(Block.Form.ADDRESS, Family.IPV4), graph.frontends());
        List<Frontend> frontends = List.copyOf(graph.frontends().keySet());
        List<Integer> rules = new ArrayList<>();
        for (Frontend frontend :
                List.of(
                        frontends.getFirst(),
                        frontends.get(frontends.size() / 2),
                        frontends.getLast())) {
            int met = 0;
            for (Dispatch.Node node : tree.path(frontend)) {
                met +=
                        node.isLeaf()
                                ? node.content().headMap(frontend).size() + 1
                                : (int)
                                                node.parts().stream()
                                                        .takeWhile(
                                                                part ->
                                                                        !part.block()
                                                                                .contains(frontend))
                                                        .count()
                                        + 1;
            }
            rules.add(met);
        }
        return rules;
    }

    private static void applied(Commit commit) {
        assertThat(commit).isInstanceOf(Commit.Applied.class);
    }

    private static <T> T timed(String what, Supplier<T> work) {
        long start = System.nanoTime();
        T result = work.get();
        System.out.println(
                what + ": " + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
        return result;
    }

    private static ServiceState service(int number, int address, int round) {
        ServiceName name = new ServiceName("load", "service-" + number);
        List<EndpointSlice.Entry> entries = new ArrayList<>();
        for (int i = 0; i < ENDPOINTS; i++) {
            entries.add(
                    new EndpointSlice.Entry(
                            new IpAddress.Ipv4(0x0af00000 + number * 16 + i + round),
                            "node-" + i,
                            EndpointSlice.Conditions.READY,
                            EndpointSlice.Hints.NONE));
        }
        Service service =
                new Service(
                        name,
                        Instant.EPOCH,
                        Service.Type.CLUSTER_IP,
                        new Service.Addresses(
                                List.of(new IpAddress.Ipv4(address)), List.of(), List.of()),
                        List.of(),
                        TrafficPolicy.CLUSTER,
                        TrafficPolicy.CLUSTER,
                        new Affinity.None(),
                        0,
                        List.of(new Service.Port("http", Protocol.TCP, 80, 0)));
        EndpointSlice slice =
                new EndpointSlice(
                        "slice",
                        name,
                        Family.IPV4,
                        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
                        entries);
        return new ServiceState.Present(service, List.of(slice));
    }
}
