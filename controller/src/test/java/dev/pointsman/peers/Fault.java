package dev.pointsman.peers;

import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Treatment;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Outcome;
import dev.pointsman.packet.netfilter.Fraction;
import dev.pointsman.packet.verify.Disagreement;
import dev.pointsman.packet.verify.Ending;
import dev.pointsman.packet.verify.Shares;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What kube-proxy is known to do otherwise than Pointsman: a row of
/// `docs/differences-from-kube-proxy.md`.
enum Fault {
    REMOTE_POD_AT_A_NODE_PORT,
    ANSWER_PAST_THE_NODE,
    HAIRPIN_ELSEWHERE,
    NO_ENDPOINTS_FROM_THE_NODE,
    SOURCE_RANGES_WITHOUT_ENDPOINTS,
    LOOPBACK_IPV6_WITHOUT_ENDPOINTS,
    CONTESTED_ADDRESS,

    // Of mode ipvs, where packets alone show them.
    NO_SHORT_CUT,
    LOCAL_POLICY_ELSEWHERE,
    SOURCE_RANGES_AND_THE_NODE,
    UNALLOCATED_CLUSTER_IP,
    BOUND_ADDRESS,
    AFFINITY_OF_EACH_ADDRESS;

    private static final IpAddress LOOPBACK_IPV6 = IpAddress.parse("::1");

    /// As the documentation and the table of known differences name it.
    String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Fault titled(String title) {
        return valueOf(title.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /// All that explain `disagreement`, which must follow from them and from nothing else; empty
    /// when that is not so.
    ///
    /// @param planner that planned what is expected
    static Set<Fault> of(Disagreement disagreement, Planner planner) {
        Flow flow = disagreement.witness();
        Frontend address = new Frontend.Address(flow.destination(), flow.protocol(), flow.port());
        if (planner.conflicts().containsKey(address)) {
            return EnumSet.of(CONTESTED_ADDRESS);
        }
        Shares expected = disagreement.expected();
        Shares found = disagreement.found();
        Treatment nodePort =
                planner.graph()
                        .frontends()
                        .get(new Frontend.NodePort(flow.protocol(), flow.port()));
        if (nodePort != null
                && !planner.graph().frontends().containsKey(address)
                && isRemotePod(flow, planner.graph())
                && isTakenForLocal(flow, nodePort, found)) {
            return EnumSet.of(REMOTE_POD_AT_A_NODE_PORT);
        }
        if (isCertainly(expected, new Outcome.Dropped())) {
            return isCertainly(found, new Outcome.Rejected())
                            || flow.origin() == Flow.Origin.HOST
                                    && isCertainly(found, new Outcome.Untouched())
                    ? EnumSet.of(SOURCE_RANGES_WITHOUT_ENDPOINTS)
                    : EnumSet.noneOf(Fault.class);
        }
        if (isCertainly(expected, new Outcome.Rejected())) {
            return flow.origin() == Flow.Origin.HOST && isCertainly(found, new Outcome.Untouched())
                    ? EnumSet.of(NO_ENDPOINTS_FROM_THE_NODE)
                    : EnumSet.noneOf(Fault.class);
        }
        if (isCertainly(expected, new Outcome.Untouched())) {
            return flow.destination().equals(LOOPBACK_IPV6)
                            && (isCertainly(found, new Outcome.Rejected())
                                    || isCertainly(found, new Outcome.Dropped()))
                    ? EnumSet.of(LOOPBACK_IPV6_WITHOUT_ENDPOINTS)
                    : EnumSet.noneOf(Fault.class);
        }
        return lostAnswers(flow, expected, found);
    }

    private static boolean isRemotePod(Flow flow, RuleGraph graph) {
        return flow.origin() == Flow.Origin.OUTSIDE
                && graph.node() instanceof NodeRules.Programmed programmed
                && programmed.sharedPods().filter(pods -> pods.contains(flow.source())).isPresent();
    }

    /// Whether those endpoints are found that a pod of this node gets (under affinity one of them),
    /// and they see the sender, but for one that is the sender itself.
    private static boolean isTakenForLocal(Flow flow, Treatment treatment, Shares found) {
        Set<String> reached = new HashSet<>();
        for (Ending ending : found.chances().keySet()) {
            if (!(ending.outcome() instanceof Outcome.Delivered(var endpoint, int port, var source))
                    || source == Outcome.Source.NODE && !endpoint.equals(flow.source())) {
                return false;
            }
            reached.add(endpoint + ":" + port);
        }
        return treatment.fromPod() instanceof Disposition.Balance(var pool, _)
                && pool.endpoints().stream()
                        .map(each -> each.address() + ":" + each.port())
                        .collect(Collectors.toSet())
                        .containsAll(reached);
    }

    private static boolean isCertainly(Shares shares, Outcome outcome) {
        return shares.chances().equals(Map.of(new Ending.Of(outcome), Fraction.ONE));
    }

    /// Every ending must be the one expected, or one to the same endpoint whose sender keeps his
    /// address and never gets the answer.
    private static Set<Fault> lostAnswers(Flow flow, Shares expected, Shares found) {
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        SortedMap<Ending, Fraction> wanted = new TreeMap<>();
        found.chances()
                .forEach(
                        (ending, chance) -> {
                            if (ending
                                            instanceof
                                            Ending.Unanswered(
                                                    Outcome.Delivered(
                                                            var endpoint,
                                                            int port,
                                                            var source))
                                    && source == Outcome.Source.KEPT) {
                                faults.add(
                                        endpoint.equals(flow.source())
                                                ? HAIRPIN_ELSEWHERE
                                                : ANSWER_PAST_THE_NODE);
                                wanted.put(
                                        new Ending.Of(
                                                new Outcome.Delivered(
                                                        endpoint, port, Outcome.Source.NODE)),
                                        chance);
                            } else {
                                wanted.put(ending, chance);
                            }
                        });
        return wanted.equals(expected.chances()) ? faults : EnumSet.noneOf(Fault.class);
    }
}
