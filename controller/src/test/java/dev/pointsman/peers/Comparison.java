package dev.pointsman.peers;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.packet.kernel.KernelScenarios;
import dev.pointsman.packet.kernel.LostSyns;
import dev.pointsman.packet.kernel.Miss;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.Sync;
import dev.pointsman.packet.verify.Disagreement;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Plays scenarios through a real kube-proxy, and holds what comes out to the known differences.
final class Comparison {
    static final List<Cidr> SERVICE_RANGES =
            Stream.of("172.30.0.0/16", "fd00:172:30::/112").map(Cidr::parse).toList();

    private static final int UNPROCESSABLE = 422;

    private final KnownDifferences known = new KnownDifferences();

    /// What `scenario` shows that is not listed, or does not show though it is.
    List<String> complaints(Peers peers, ProxyMode mode, Scenario scenario) throws Exception {
        Scenario configured = ModeScenario.of(scenario, mode, SERVICE_RANGES);
        List<String> first = complaintsOnce(peers, mode, configured);
        if (first.isEmpty()) {
            return first;
        }
        // A machine that stalls makes an answer late; wrong rules are wrong again.
        System.out.println("played again after:\n" + String.join("\n", first));
        return complaintsOnce(peers, mode, configured);
    }

    private List<String> complaintsOnce(Peers peers, ProxyMode mode, Scenario scenario)
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
                            scenario,
                            new KubeProxyProgrammer(
                                    peers,
                                    mode,
                                    switch (mode) {
                                        case NFTABLES, IPTABLES -> verify;
                                        case IPVS -> (_, _) -> {};
                                    }),
                            lostSyns(mode))) {
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

    private static LostSyns lostSyns(ProxyMode mode) {
        return switch (mode) {
            case NFTABLES, IPTABLES -> LostSyns.NOTICED;
            // Up to 15 of 100 are, of connections that are masqueraded with a random port.
            case IPVS -> LostSyns.FORGIVEN;
        };
    }

    private static Situation situation(Peers peers, Sync sync, int number) {
        List<ServiceState> services = new ArrayList<>(sync.cluster().services());
        services.add(peers.beacon().state(number));
        return new Situation(sync.cluster().node(), sync.cluster().settings(), services);
    }
}
