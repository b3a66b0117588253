package dev.pointsman.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.KernelTest;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Scenarios;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// Real packets through the rules of a real kube-proxy, and `verify` over these rules, say what the
/// oracle says under the defaults of its mode, but for the known differences.
@Tag("peers")
class KubeProxyScenarioTest {
    private final Comparison comparison = new Comparison();

    @KernelTest
    void the_nftables_mode_does_what_scenarios_say(@TempDir Path folder) throws Exception {
        compare(folder, ProxyMode.NFTABLES);
    }

    @KernelTest(tools = {"iptables-save", "ip6tables-save"})
    void the_iptables_mode_does_what_scenarios_say(@TempDir Path folder) throws Exception {
        compare(folder, ProxyMode.IPTABLES);
    }

    private void compare(Path folder, ProxyMode mode) throws Exception {
        List<String> complaints = new ArrayList<>();
        try (Peers peers = Peers.start(folder, Comparison.SERVICE_RANGES)) {
            peers.feed().hideOwnService();
            for (Scenario each : Scenarios.all()) {
                complaints.addAll(comparison.complaints(peers, mode, each));
            }
        }
        assertThat(complaints).isEmpty();
    }
}
