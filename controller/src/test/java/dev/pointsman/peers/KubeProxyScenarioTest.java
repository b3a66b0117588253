package dev.pointsman.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.packet.kernel.KernelScenarios;
import dev.pointsman.packet.kernel.Miss;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Scenarios;
import dev.pointsman.packet.scenario.Sync;
import dev.pointsman.packet.verify.Disagreement;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// Real packets through the rules of a real kube-proxy, and `verify` over these rules, say what the
/// oracle says under the defaults of its mode, but for the known differences.
@Tag("peers")
class KubeProxyScenarioTest {
    private static final List<Cidr> SERVICE_RANGES =
            Stream.of("172.30.0.0/16", "fd00:172:30::/112").map(Cidr::parse).toList();
    private static final int UNPROCESSABLE = 422;

    private final KnownDifferences known = new KnownDifferences();

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
        try (Peers peers = Peers.start(folder, SERVICE_RANGES)) {
            peers.feed().hideOwnService();
            for (Scenario each : Scenarios.all()) {
                Scenario scenario = ModeScenario.of(each, mode, SERVICE_RANGES);
                List<String> first = complaints(peers, mode, scenario);
                if (!first.isEmpty()) {
                    // A machine that stalls makes an answer late; wrong rules are wrong again.
                    System.out.println("played again after:\n" + String.join("\n", first));
                    complaints.addAll(complaints(peers, mode, scenario));
                }
            }
        }
        assertThat(complaints).isEmpty();
    }

    private List<String> complaints(Peers peers, ProxyMode mode, Scenario scenario)
            throws Exception {
        String where = scenario.file().replace(".scenario", "");
        Map<Difference, String> seen = new LinkedHashMap<>();
        List<Disagreement> unexplained = new ArrayList<>();
        KubeProxyProgrammer.Witness verify =
                (sync, number) -> {
                    Situation situation = situation(peers, sync, number);
                    for (Family family : situation.families()) {
                        Situation.Verdict verdict =
                                situation.verify(family, mode.read(mode.dump(family), family));
                        seen.putAll(verdict.differences(mode, where));
                        unexplained.addAll(verdict.others());
                    }
                };
        try {
            for (Miss miss :
                    KernelScenarios.misses(
                            scenario, new KubeProxyProgrammer(peers, mode, verify))) {
                seen.put(
                        new Difference.OfFlow(mode, where, miss.flow().toString()),
                        miss.toString());
            }
        } catch (KubernetesClientException e) {
            if (e.getCode() != UNPROCESSABLE) {
                throw e;
            }
            seen.put(new Difference.Refused(mode, where), String.valueOf(e.getMessage()));
        }
        List<String> complaints = known.complaints(mode, where, seen);
        unexplained.forEach(each -> complaints.add(mode + ", " + where + ": " + each));
        return complaints;
    }

    private static Situation situation(Peers peers, Sync sync, int number) {
        List<ServiceState> services = new ArrayList<>(sync.cluster().services());
        services.add(peers.beacon().state(number));
        return new Situation(sync.cluster().node(), sync.cluster().settings(), services);
    }
}
