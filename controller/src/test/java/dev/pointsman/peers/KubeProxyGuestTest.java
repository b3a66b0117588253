package dev.pointsman.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.guest.GuestTest;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Scenarios;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// As [KubeProxyScenarioTest], for the mode that few kernels of build machines can run, and for a
/// few scenarios: in an emulated machine each takes ten times as long. All of them with
/// `-Dpointsman.ipvs.scenarios=all`. `verify` has no part in it.
@Tag("peers")
@GuestTest(minutes = 15)
@EnabledIfEnvironmentVariable(
        named = KubeProxy.PROGRAM,
        matches = ".+",
        disabledReason = "build kube-proxy with perf/peers/kube-peers build")
final class KubeProxyGuestTest {
    private static final List<String> SCENARIOS =
            List.of(
                    "affinity-of-each-port",
                    "cluster-ip-from-elsewhere",
                    "cluster-ip-from-elsewhere-ipv6",
                    "duplicate-in-two-slices");

    private final Comparison comparison = new Comparison();

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> the_ipvs_mode_does_what_scenarios_say() {
        Stream<Scenario> chosen =
                "all".equals(System.getProperty("pointsman.ipvs.scenarios"))
                        ? Scenarios.all().stream()
                        : SCENARIOS.stream().map(name -> Scenarios.named(name + ".scenario"));
        return chosen.map(each -> DynamicTest.dynamicTest(each.file(), () -> compare(each)));
    }

    private void compare(Scenario scenario) throws Exception {
        assertThat(comparison.complaints(GuestPeers.PEERS, ProxyMode.IPVS, scenario)).isEmpty();
    }
}
