package dev.pointsman.ipvs;

import dev.pointsman.graph.Golden;
import dev.pointsman.packet.scenario.Arrival;
import dev.pointsman.packet.scenario.Scenarios;
import dev.pointsman.packet.scenario.Sync;
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
                "external-policy-local-ipv6",
                "external-policy-local-without-local-endpoint",
                "health-check-node-port",
                "internal-policy-local-without-local-endpoint",
                "masquerade-all",
                "no-detector",
                "no-endpoints",
                "node-port-on-a-range",
                "source-ranges",
                "three-protocols-on-one-port"
            })
    void the_first_sync_of_a_scenario(String name) {
        Sync first = Scenarios.named(name + ".scenario").syncs(Arrival.AS_WRITTEN).getFirst();
        first.transitions()
                .forEach(
                        (family, transition) ->
                                Golden.check(
                                        name + "." + family.title() + ".sh",
                                        Rendered.text(transition.after())));
    }
}
