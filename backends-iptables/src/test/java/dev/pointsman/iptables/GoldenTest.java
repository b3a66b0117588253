package dev.pointsman.iptables;

import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Golden;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.packet.scenario.Arrival;
import dev.pointsman.packet.scenario.Scenarios;
import dev.pointsman.packet.scenario.Sync;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GoldenTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "affinity",
                "affinity-ipv6",
                "both-policies-local",
                "detect-by-interface-prefix",
                "external-policy-cluster",
                "external-policy-local",
                "external-policy-local-ipv6",
                "external-policy-local-without-local-endpoint",
                "guard-off",
                "health-check-node-port",
                "internal-policy-local-without-local-endpoint",
                "masquerade-all",
                "masquerade-bit-31",
                "no-detector",
                "no-endpoints",
                "node-port-on-a-range",
                "source-ranges",
                "source-ranges-without-endpoints",
                "three-protocols-on-one-port"
            })
    void the_first_sync_of_a_scenario(String name) {
        Sync first = Scenarios.named(name + ".scenario").syncs(Arrival.AS_WRITTEN).getFirst();
        first.transitions()
                .forEach(
                        (family, transition) ->
                                Golden.check(
                                        name + "." + family.title() + ".rules",
                                        load(transition.after())));
    }

    @Test
    void a_shop_under_the_defaults_of_iptables_mode() {
        Planner planner = Shop.planner();
        planner.plan(shop());
        Golden.check("shop.rules", load(planner.graph()));
    }

    @Test
    void one_endpoint_swapped() {
        change(
                "change-endpoint",
                Shop.service(1, Shop.Style.CLUSTER_IP, "10.244.1.5", "10.244.2.7"));
    }

    @Test
    void the_last_endpoint_gone() {
        change("change-last-endpoint", Shop.service(1, Shop.Style.CLUSTER_IP));
    }

    @Test
    void a_service_gone() {
        change(
                "change-service-gone",
                new ServiceState.Absent(Shop.service(1, Shop.Style.CLUSTER_IP).name()));
    }

    /// A leaf of 64 Services gets its 65th.
    @Test
    void a_leaf_becomes_too_large() {
        Planner planner = Shop.planner();
        List<ServiceState> services = new ArrayList<>();
        for (int i = 1; i <= Dispatch.LEAF; i++) {
            services.add(Shop.service(i, Shop.Style.CLUSTER_IP, "10.244.2.6"));
        }
        planner.plan(services);
        RuleGraph before = planner.graph();
        Delta delta =
                planner.plan(
                        List.of(
                                Shop.service(
                                        Dispatch.LEAF + 1, Shop.Style.CLUSTER_IP, "10.244.2.6")));
        Golden.check("change-leaf.rules", render(before, delta));
    }

    private static void change(String name, ServiceState now) {
        Planner planner = Shop.planner();
        planner.plan(shop());
        RuleGraph before = planner.graph();
        Golden.check(name + ".rules", render(before, planner.plan(List.of(now))));
    }

    private static List<ServiceState> shop() {
        return List.of(
                Shop.service(1, Shop.Style.CLUSTER_IP, "10.244.1.5", "10.244.2.6"),
                Shop.service(2, Shop.Style.NODE_PORT, "10.244.2.6"),
                Shop.service(3, Shop.Style.STICKY, "10.244.1.5", "10.244.2.6"),
                Shop.service(4, Shop.Style.BALANCER_LOCAL_RANGED, "10.244.1.5", "10.244.2.6"),
                Shop.service(5, Shop.Style.NODE_PORT));
    }

    private static String load(RuleGraph graph) {
        RuleGraph nothing = RuleGraph.nothing(graph.family());
        return render(nothing, Delta.between(nothing, graph));
    }

    private static String render(RuleGraph from, Delta delta) {
        return Renderer.render(from, delta, Capabilities.USUAL).text();
    }
}
