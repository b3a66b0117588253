package dev.pointsman.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class PlannerLaws {

    @Provide
    Arbitrary<List<ServiceState>> histories() {
        return Graphs.events().list().ofMaxSize(14);
    }

    @Provide
    Arbitrary<NodeView> nodes() {
        return Graphs.nodes();
    }

    @Provide
    Arbitrary<Settings> settings() {
        return Graphs.settings();
    }

    @Property(tries = 300)
    void a_planned_delta_is_the_difference_of_the_graphs(
            @ForAll Family family,
            @ForAll("nodes") NodeView node,
            @ForAll("settings") Settings settings,
            @ForAll("histories") List<ServiceState> events) {
        Planner planner = new Planner(family, node, settings);
        for (List<ServiceState> batch : batches(events)) {
            RuleGraph before = planner.graph();
            Delta delta = planner.plan(batch);
            assertThat(delta).isEqualTo(Delta.between(before, planner.graph()));
            assertThat(delta.applyTo(before)).isEqualTo(planner.graph());
        }
    }

    @Property(tries = 200)
    void a_replanned_delta_is_the_difference_of_the_graphs(
            @ForAll Family family,
            @ForAll("nodes") NodeView node,
            @ForAll("nodes") NodeView movedNode,
            @ForAll("settings") Settings settings,
            @ForAll("settings") Settings otherSettings,
            @ForAll("histories") List<ServiceState> events) {
        Planner planner = new Planner(family, node, settings);
        planner.plan(events);
        RuleGraph before = planner.graph();
        List<ServiceState> all = Graphs.latest(events);
        Delta delta = planner.replan(movedNode, otherSettings, all);
        assertThat(delta).isEqualTo(Delta.between(before, planner.graph()));

        Planner fresh = new Planner(family, movedNode, otherSettings);
        fresh.plan(all);
        assertThat(inAnySlots(planner.graph())).isEqualTo(inAnySlots(fresh.graph()));
        assertThat(planner.conflicts()).isEqualTo(fresh.conflicts());
    }

    @Property(tries = 300)
    void only_the_last_word_on_each_service_counts_in_any_order(
            @ForAll Family family,
            @ForAll("nodes") NodeView node,
            @ForAll("settings") Settings settings,
            @ForAll("histories") List<ServiceState> events,
            @ForAll Random random) {
        Planner live = new Planner(family, node, settings);
        live.plan(List.of());
        events.forEach(event -> live.plan(List.of(event)));

        List<ServiceState> shuffled = new ArrayList<>(Graphs.latest(events));
        Collections.shuffle(shuffled, random);
        Planner fresh = new Planner(family, node, settings);
        fresh.plan(shuffled);

        assertThat(inAnySlots(live.graph())).isEqualTo(inAnySlots(fresh.graph()));
        assertThat(live.conflicts()).isEqualTo(fresh.conflicts());
    }

    @Property(tries = 200)
    void the_indices_equal_a_recomputation(
            @ForAll Family family,
            @ForAll("nodes") NodeView node,
            @ForAll("settings") Settings settings,
            @ForAll("histories") List<ServiceState> events) {
        Planner planner = new Planner(family, node, settings);
        for (ServiceState event : events) {
            planner.plan(List.of(event));
            RuleGraph graph = planner.graph();
            Map<Shape, Integer> shapes = new HashMap<>();
            Set<IpAddress> local = new HashSet<>();
            Set<IpAddress> clusterIps = new HashSet<>();
            Map<ServicePortName, Set<Frontend>> sticky = new HashMap<>();
            graph.frontends()
                    .forEach(
                            (frontend, treatment) -> {
                                shapes.merge(Shape.of(frontend, treatment), 1, Integer::sum);
                                local.addAll(localAddresses(treatment));
                                if (treatment.affinity() instanceof Affinity.ClientIp) {
                                    sticky.computeIfAbsent(treatment.owner(), _ -> new HashSet<>())
                                            .add(frontend);
                                }
                                if (frontend instanceof Frontend.Address(var address, _, _)
                                        && treatment.kind() == Treatment.Kind.CLUSTER_IP) {
                                    clusterIps.add(address);
                                }
                            });
            assertThat(graph.shapes()).isEqualTo(shapes);
            assertThat(graph.localEndpoints()).isEqualTo(local);
            assertThat(graph.stickyPorts()).isEqualTo(sticky.keySet());
            sticky.forEach(
                    (owner, frontends) ->
                            assertThat(graph.stickyFrontends(owner))
                                    .containsExactlyInAnyOrderElementsOf(frontends));
            for (Frontend frontend : graph.frontends().keySet()) {
                if (frontend instanceof Frontend.Address(var address, _, _)) {
                    assertThat(graph.hasClusterIp(address))
                            .as("%s", address)
                            .isEqualTo(clusterIps.contains(address));
                }
            }
        }
    }

    @Property(tries = 200)
    void a_change_of_one_service_leaves_the_treatments_of_others_alone(
            @ForAll Family family,
            @ForAll("nodes") NodeView node,
            @ForAll("settings") Settings settings,
            @ForAll("histories") List<ServiceState> events) {
        Planner planner = new Planner(family, node, settings);
        for (ServiceState event : events) {
            RuleGraph before = planner.graph();
            planner.plan(List.of(event));
            planner.graph()
                    .frontends()
                    .forEach(
                            (frontend, treatment) -> {
                                Treatment earlier = before.frontends().get(frontend);
                                if (earlier != null
                                        && !treatment.owner().service().equals(event.name())
                                        && treatment.owner().equals(earlier.owner())) {
                                    assertThat(treatment).as("%s", frontend).isSameAs(earlier);
                                }
                            });
        }
    }

    @Property(tries = 200)
    void an_adopted_order_of_slots_outlives_the_next_events(
            @ForAll Family family,
            @ForAll("nodes") NodeView node,
            @ForAll("settings") Settings settings,
            @ForAll("histories") List<ServiceState> events,
            @ForAll("histories") List<ServiceState> later,
            @ForAll Random random) {
        Planner planner = new Planner(family, node, settings);
        planner.plan(events);
        RuleGraph found = permuted(planner.graph(), random);
        planner.adopt(found);
        assertThat(planner.graph()).isEqualTo(found);

        Delta same = planner.plan(Graphs.latest(events));
        assertThat(same.frontends()).isEmpty();
        for (ServiceState event : later) {
            RuleGraph before = planner.graph();
            Delta delta = planner.plan(List.of(event));
            assertThat(delta).isEqualTo(Delta.between(before, planner.graph()));
        }
    }

    private static List<List<ServiceState>> batches(List<ServiceState> events) {
        List<List<ServiceState>> batches = new ArrayList<>();
        for (int from = 0; from < events.size(); from += 3) {
            batches.add(Graphs.latest(events.subList(from, Math.min(from + 3, events.size()))));
        }
        return batches;
    }

    private static Set<IpAddress> localAddresses(Treatment treatment) {
        Set<IpAddress> addresses = new HashSet<>();
        for (Pool pool : treatment.pools()) {
            for (Endpoint endpoint : pool.endpoints()) {
                if (endpoint.place() == Endpoint.Place.THIS_NODE) {
                    addresses.add(endpoint.address());
                }
            }
        }
        return addresses;
    }

    /// The graph with every pool in sorted order.
    private static SortedMap<Frontend, Treatment> inAnySlots(RuleGraph graph) {
        SortedMap<Frontend, Treatment> sorted = new TreeMap<>();
        graph.frontends()
                .forEach(
                        (frontend, treatment) ->
                                sorted.put(
                                        frontend,
                                        withPools(
                                                treatment,
                                                pool ->
                                                        List.copyOf(
                                                                new TreeSet<>(pool.endpoints())))));
        return sorted;
    }

    /// The graph with the slots of every pool shuffled, for all Frontends of a pool alike.
    private static RuleGraph permuted(RuleGraph graph, Random random) {
        Map<Pool, List<Endpoint>> orders = new LinkedHashMap<>();
        RuleGraph permuted = graph;
        for (var entry : graph.frontends().entrySet()) {
            permuted =
                    permuted.with(
                            entry.getKey(),
                            withPools(
                                    entry.getValue(),
                                    pool ->
                                            orders.computeIfAbsent(
                                                    pool, p -> shuffled(p.endpoints(), random))));
        }
        return permuted;
    }

    private static List<Endpoint> shuffled(List<Endpoint> endpoints, Random random) {
        List<Endpoint> shuffled = new ArrayList<>(endpoints);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    private interface Order {
        List<Endpoint> of(Pool pool);
    }

    private static Treatment withPools(Treatment treatment, Order order) {
        return new Treatment(
                treatment.owner(),
                treatment.kind(),
                treatment.sources(),
                treatment.affinity(),
                withPool(treatment.fromPod(), order),
                withPool(treatment.fromHost(), order),
                withPool(treatment.fromOutside(), order),
                "rr");
    }

    private static Disposition withPool(Disposition disposition, Order order) {
        return switch (disposition) {
            case Disposition.Balance(Pool pool, var source) ->
                    new Disposition.Balance(
                            new Pool(pool.owner(), pool.scope(), order.of(pool)), source);
            case Disposition.Reject reject -> reject;
            case Disposition.Drop drop -> drop;
        };
    }
}
