package dev.pointsman.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.TrafficPolicy;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.NftBatch;
import dev.pointsman.netlink.NftOwnCommits;
import dev.pointsman.netlink.NftSocket;
import dev.pointsman.netlink.TestNamespace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Large clusters. Times are printed and never judged; `-Dscale=30000` adds a larger one.
class ScaleKernelTest {
    private static final int ENDPOINTS = 5;

    @KernelTest
    void chains_and_rules_do_not_grow_with_services() throws Exception {
        Transaction.Size small = run(1_000);
        Transaction.Size large = run(10_000);
        assertThat(large.rules()).isEqualTo(small.rules());
        int more = Integer.getInteger("scale", 0);
        if (more > 0) {
            run(more);
        }
    }

    private static Transaction.Size run(int services) throws Exception {
        Town town = new Town(Family.IPV4);
        Planner planner = town.planner(town.settings());
        List<ServiceState> states = new ArrayList<>();
        for (int i = 0; i < services; i++) {
            // One larger pool, so that there is a chain for its size.
            states.add(service(i, 0, i == services - 1 ? ENDPOINTS + 1 : ENDPOINTS));
        }
        planner.plan(states);
        RuleGraph graph = planner.graph();
        try (TestNamespace namespace = TestNamespace.create();
                NftablesDataplane dataplane =
                        new NftablesDataplane(Family.IPV4, NftSocket::open, new NftOwnCommits())) {
            return namespace
                    .namespace()
                    .call(
                            () -> {
                                Transaction.Size size = load(dataplane, graph, services);
                                changes(dataplane, planner, services);
                                raw(planner.graph(), services);
                                return size;
                            });
        }
    }

    private static Transaction.Size load(
            NftablesDataplane dataplane, RuleGraph graph, int services) {
        RuleGraph nothing = RuleGraph.nothing(Family.IPV4);
        long start = System.nanoTime();
        Transaction load = dataplane.render(nothing, Delta.between(nothing, graph));
        long rendered = System.nanoTime();
        assertThat(dataplane.commit(load)).isEqualTo(new Commit.Applied());
        long loaded = System.nanoTime();
        Transaction repair = dataplane.repair(graph);
        long audited = System.nanoTime();
        assertThat(repair.size().isEmpty()).isTrue();
        double reading;
        try (NftSocket socket = NftSocket.open()) {
            long from = System.nanoTime();
            assertThat(KernelTable.read(socket, Family.IPV4)).isPresent();
            reading = millis(from, System.nanoTime());
        }
        System.out.printf(
                Locale.ROOT,
                "%,d Services with %d endpoints: render %.0f ms, commit %.0f ms, audit %.0f ms"
                        + " (reading alone %.0f ms)%n",
                services,
                ENDPOINTS,
                millis(start, rendered),
                millis(rendered, loaded),
                millis(loaded, audited),
                reading);
        return load.size();
    }

    private static void changes(NftablesDataplane dataplane, Planner planner, int services) {
        double plan = 0;
        double render = 0;
        double commit = 0;
        int rounds = 200;
        for (int round = 1; round <= rounds; round++) {
            RuleGraph before = planner.graph();
            long start = System.nanoTime();
            Delta delta = planner.plan(List.of(service(round * 7 % services, round)));
            long planned = System.nanoTime();
            Transaction change = dataplane.render(before, delta);
            long rendered = System.nanoTime();
            assertThat(dataplane.commit(change)).isEqualTo(new Commit.Applied());
            long committed = System.nanoTime();
            // The endpoint was moved: out of its slot and in again, and nothing else.
            assertThat(change.size()).isEqualTo(new Transaction.Size(0, 2));
            plan += millis(start, planned);
            render += millis(planned, rendered);
            commit += millis(rendered, committed);
        }
        System.out.printf(
                Locale.ROOT,
                "  one endpoint swapped: plan %.3f ms, render %.3f ms, commit %.3f ms%n",
                plan / rounds,
                render / rounds,
                commit / rounds);
        double moved = 0;
        for (int round = 0; round < rounds; round++) {
            RuleGraph before = planner.graph();
            int endpoints = round % 2 == 0 ? ENDPOINTS + 1 : ENDPOINTS;
            Delta delta = planner.plan(List.of(service(services / 2, 0, endpoints)));
            Transaction change = dataplane.render(before, delta);
            long rendered = System.nanoTime();
            assertThat(dataplane.commit(change)).isEqualTo(new Commit.Applied());
            moved += millis(rendered, System.nanoTime());
        }
        System.out.printf(
                Locale.ROOT, "  one endpoint more or less: commit %.3f ms%n", moved / rounds);
    }

    /// The same table again, already encoded: what the kernel alone takes.
    private static void raw(RuleGraph graph, int services) throws Exception {
        try (TestNamespace other = TestNamespace.create()) {
            List<NftBatch> batches = new ArrayList<>();
            for (Batch batch : Renderer.load(graph).batches()) {
                batches.add(Encoding.of(batch, Family.IPV4));
            }
            other.namespace()
                    .call(
                            () -> {
                                try (NftSocket socket = NftSocket.open()) {
                                    long start = System.nanoTime();
                                    batches.forEach(socket::commit);
                                    System.out.printf(
                                            Locale.ROOT,
                                            "  the kernel alone, %,d Services in %d batches:"
                                                    + " %.0f ms%n",
                                            services,
                                            batches.size(),
                                            millis(start, System.nanoTime()));
                                }
                                return true;
                            });
        }
    }

    private static ServiceState service(int number, int round) {
        return service(number, round, ENDPOINTS);
    }

    private static ServiceState service(int number, int round, int endpoints) {
        ServiceName name = new ServiceName("scale", "s" + number);
        List<EndpointSlice.Entry> entries = new ArrayList<>();
        for (int i = 0; i < endpoints; i++) {
            int version = i == 0 ? round : 0;
            entries.add(
                    new EndpointSlice.Entry(
                            new IpAddress.Ipv4(0x0b000000 + version * 1_000_000 + number * 16 + i),
                            "there",
                            EndpointSlice.Conditions.READY,
                            EndpointSlice.Hints.NONE));
        }
        return new ServiceState.Present(
                new Service(
                        name,
                        Instant.EPOCH,
                        Service.Type.CLUSTER_IP,
                        new Service.Addresses(
                                List.of(new IpAddress.Ipv4(0x0a600000 + number + 1)),
                                List.of(),
                                List.of()),
                        List.of(),
                        TrafficPolicy.CLUSTER,
                        TrafficPolicy.CLUSTER,
                        new Affinity.None(),
                        0,
                        List.of(new Service.Port("http", Protocol.TCP, 80, 0)),
                        ""),
                List.of(
                        new EndpointSlice(
                                name.name() + "-x",
                                name,
                                Family.IPV4,
                                List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
                                entries)));
    }

    private static double millis(long from, long to) {
        return (to - from) / 1e6;
    }
}
