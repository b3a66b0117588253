package dev.pointsman.nftables;

import static dev.pointsman.nftables.Town.Trait.EXTERNAL_LOCAL;
import static dev.pointsman.nftables.Town.Trait.LOAD_BALANCER;
import static dev.pointsman.nftables.Town.Trait.NODE_PORT;
import static dev.pointsman.nftables.Town.Trait.RANGED;
import static dev.pointsman.nftables.Town.Trait.STICKY;

import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Golden;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GoldenScriptTest {
    private static final ServiceName FIRST = new ServiceName("shop", "s1");
    private final Town town = new Town(Family.IPV4);

    @ParameterizedTest
    @EnumSource(Family.class)
    void whole_tables(Family family) {
        new Town(family)
                .graphs()
                .forEach(
                        (name, graph) ->
                                Golden.check(
                                        name
                                                + "."
                                                + family.title().toLowerCase(Locale.ROOT)
                                                + ".nft",
                                        Renderer.load(graph).text()));
    }

    @Test
    void one_endpoint_swapped() {
        change("swap", Set.of(), new int[] {1, -1}, new int[] {1, -2});
    }

    @Test
    void one_endpoint_more() {
        change("grow", Set.of(), new int[] {1}, new int[] {1, -1});
    }

    @Test
    void one_endpoint_less() {
        change("shrink", Set.of(), new int[] {1, 2, -1}, new int[] {2, -1});
    }

    @Test
    void the_last_endpoint_gone() {
        change("last-endpoint-gone", Set.of(NODE_PORT), new int[] {1}, new int[] {});
    }

    @Test
    void the_first_endpoint_come() {
        change("first-endpoint-come", Set.of(NODE_PORT), new int[] {}, new int[] {1});
    }

    @Test
    void the_last_local_endpoint_gone() {
        change(
                "last-local-endpoint-gone",
                Set.of(NODE_PORT, LOAD_BALANCER, EXTERNAL_LOCAL),
                new int[] {1, -1},
                new int[] {-1});
    }

    @Test
    void a_sticky_endpoint_swapped() {
        change("affinity-swap", Set.of(NODE_PORT, STICKY), new int[] {1, -1}, new int[] {1, -2});
    }

    @Test
    void a_restricted_service_come_and_gone() {
        Planner planner = town.planner(town.settings());
        planner.plan(List.of(town.service(2, Set.of(), 1)));
        plan(planner, "ranged-come", town.service(1, Set.of(LOAD_BALANCER, RANGED), 1));
        plan(planner, "ranged-gone", new ServiceState.Absent(FIRST));
    }

    @Test
    void other_node_rules() {
        Planner planner = town.planner(town.settings());
        planner.plan(List.of(town.service(1, Set.of(NODE_PORT), 1)));
        RuleGraph before = planner.graph();
        Delta delta =
                planner.replan(
                        town.node(),
                        town.settings().withServiceRanges(List.of()),
                        List.of(town.service(1, Set.of(NODE_PORT), 1)));
        Golden.check("change-node-rules.nft", Renderer.render(before, delta).text());
    }

    @Test
    void nothing_left() {
        RuleGraph graph = town.graph(town.service(1, Set.of(), 1));
        Golden.check(
                "change-to-nothing.nft",
                Renderer.render(graph, Delta.between(graph, RuleGraph.nothing(Family.IPV4)))
                        .text());
    }

    private void change(String name, Set<Town.Trait> traits, int[] before, int[] after) {
        Planner planner = town.planner(town.settings());
        planner.plan(List.of(town.service(1, traits, before)));
        plan(planner, name, town.service(1, traits, after));
    }

    private static void plan(Planner planner, String name, ServiceState state) {
        RuleGraph before = planner.graph();
        Delta delta = planner.plan(List.of(state));
        Golden.check("change-" + name + ".nft", Renderer.render(before, delta).text());
    }
}
