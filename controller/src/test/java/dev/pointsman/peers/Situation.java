package dev.pointsman.peers;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.verify.Disagreement;
import dev.pointsman.packet.verify.Proof;
import dev.pointsman.packet.verify.Verifier;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Everything that decides what rules a kube-proxy ought to have written.
record Situation(NodeView node, Settings settings, List<ServiceState> services) {
    Situation {
        services = List.copyOf(services);
    }

    /// The families that the node has addresses of.
    Set<Family> families() {
        return families(node);
    }

    static Set<Family> families(NodeView node) {
        return node.addresses().stream()
                .map(IpAddress::family)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Family.class)));
    }

    /// What `verify` says about rules.
    ///
    /// @param faults the known ones, each with one of the disagreements that show it
    /// @param others disagreements that no known fault explains
    record Verdict(Map<Fault, Disagreement> faults, List<Disagreement> others) {
        Verdict {
            faults = Map.copyOf(faults);
            others = List.copyOf(others);
        }

        /// The faults as differences of `mode` at `where`, each with its witness.
        Map<Difference, String> differences(ProxyMode mode, String where) {
            Map<Difference, String> differences = new LinkedHashMap<>();
            faults.forEach(
                    (fault, witness) ->
                            differences.put(
                                    new Difference.OfRules(mode, where, fault),
                                    witness.toString()));
            return differences;
        }
    }

    /// @throws AssertionError when the rules are not understood
    Verdict verify(Family family, Ruleset rules) {
        Planner planner = new Planner(family, node, settings);
        planner.plan(services);
        Proof proof = new Verifier(planner.graph(), node, rules).verify(_ -> {});
        if (!proof.doubts().isEmpty()) {
            throw new AssertionError("not understood: " + proof.doubts());
        }
        Map<Fault, Disagreement> faults = new EnumMap<>(Fault.class);
        List<Disagreement> others = new ArrayList<>();
        for (Disagreement each : proof.disagreements()) {
            Set<Fault> explaining = Fault.of(each, planner);
            explaining.forEach(fault -> faults.putIfAbsent(fault, each));
            if (explaining.isEmpty()) {
                others.add(each);
            }
        }
        return new Verdict(faults, others);
    }
}
