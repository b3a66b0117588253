package dev.pointsman.packet;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.LocalDetector;
import dev.pointsman.graph.NodePortAddresses;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.Sources;
import dev.pointsman.graph.Treatment;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/// What a node must do with any [Flow], read off its rule graph alone. It knows no backend, and no
/// backend may disagree with it. It has no memory: under affinity the outcomes are those of a
/// client seen for the first time.
public final class Oracle {
    private static final Cidr IPV4_LOOPBACK = Cidr.parse("127.0.0.0/8");
    private static final Cidr IPV6_LOOPBACK = Cidr.parse("::1/128");

    private final RuleGraph graph;
    private final NodeView node;
    private final Predicate<Flow> meetsItsInterface;

    /// On a node that has all its addresses on the uplink.
    public Oracle(RuleGraph graph, NodeView node) {
        this(graph, node, flow -> flow.origin() == Flow.Origin.OUTSIDE);
    }

    /// @param meetsItsInterface whether packets to an address of the node come in by the interface
    ///   that has it
    public Oracle(RuleGraph graph, NodeView node, Predicate<Flow> meetsItsInterface) {
        this.graph = graph;
        this.node = node;
        this.meetsItsInterface = meetsItsInterface;
    }

    public Outcomes outcomes(Flow flow) {
        if (flow.family() != graph.family()) {
            throw new IllegalArgumentException(
                    flow + " is none of the flows of a graph for " + graph.family().title());
        }
        return treatment(flow)
                .map(treatment -> treated(flow, treatment))
                .orElseGet(() -> Outcomes.certain(guarded(flow)));
    }

    /// How the Frontend that `flow` dials is treated. A Service's own address goes before the same
    /// address as one of the node.
    public Optional<Treatment> treatment(Flow flow) {
        Treatment ofAddress =
                graph.frontends()
                        .get(
                                new Frontend.Address(
                                        flow.destination(), flow.protocol(), flow.port()));
        if (ofAddress != null) {
            return Optional.of(ofAddress);
        }
        if (!isNodePortAddress(flow.destination())) {
            return Optional.empty();
        }
        return Optional.ofNullable(
                graph.frontends().get(new Frontend.NodePort(flow.protocol(), flow.port())));
    }

    private boolean isNodePortAddress(IpAddress address) {
        if (!(graph.node() instanceof NodeRules.Programmed programmed)
                || IPV6_LOOPBACK.contains(address)) {
            return false;
        }
        if (IPV4_LOOPBACK.contains(address)) {
            return switch (programmed.loopback()) {
                case ANSWERS -> true;
                case SILENT -> false;
            };
        }
        return node.addresses().contains(address)
                && switch (programmed.nodePorts()) {
                    case NodePortAddresses.All _ -> true;
                    case NodePortAddresses.Within(var ranges) ->
                            ranges.stream().anyMatch(range -> range.contains(address));
                };
    }

    private Outcome guarded(Flow flow) {
        if (!(graph.node() instanceof NodeRules.Programmed programmed)
                || programmed.clusterIpGuard() == Settings.ClusterIpGuard.OFF) {
            return new Outcome.Untouched();
        }
        if (graph.hasClusterIp(flow.destination())) {
            return new Outcome.Rejected();
        }
        return programmed.serviceRanges().stream().anyMatch(r -> r.contains(flow.destination()))
                ? new Outcome.Dropped()
                : new Outcome.Untouched();
    }

    private Outcomes treated(Flow flow, Treatment treatment) {
        if (treatment.sources() instanceof Sources.Only(var ranges)
                && ranges.stream().noneMatch(range -> range.contains(flow.source()))) {
            return Outcomes.certain(new Outcome.Dropped());
        }
        return switch (disposition(flow, treatment)) {
            case Disposition.Balance balance -> balanced(flow, treatment, balance);
            case Disposition.Reject _ -> Outcomes.certain(new Outcome.Rejected());
            case Disposition.Drop _ -> Outcomes.certain(new Outcome.Dropped());
        };
    }

    /// Which of the treatment's dispositions is for `flow`.
    public Disposition disposition(Flow flow, Treatment treatment) {
        return switch (flow.origin()) {
            case HOST -> treatment.fromHost();
            case POD, OUTSIDE ->
                    isTakenForPod(flow, treatment) ? treatment.fromPod() : treatment.fromOutside();
        };
    }

    private boolean isTakenForPod(Flow flow, Treatment treatment) {
        return graph.node() instanceof NodeRules.Programmed programmed
                && switch (programmed.detector()) {
                    case LocalDetector.None _ -> false;
                    case LocalDetector.Range(var range) ->
                            range.contains(flow.source())
                                    && !(treatment.kind() == Treatment.Kind.NODE_PORT
                                            && mayBeRemotePod(programmed, flow.source())
                                            && meetsItsInterface.test(flow));
                    case LocalDetector.Interface _, LocalDetector.InterfacePrefix _ ->
                            flow.origin() == Flow.Origin.POD;
                };
    }

    private static boolean mayBeRemotePod(NodeRules.Programmed programmed, IpAddress source) {
        return programmed.sharedPods().filter(pods -> pods.contains(source)).isPresent()
                && programmed.ownPods().stream().noneMatch(own -> own.contains(source));
    }

    private Outcomes balanced(Flow flow, Treatment treatment, Disposition.Balance balance) {
        TreeMap<Outcome, Integer> shares = new TreeMap<>();
        for (Endpoint endpoint : balance.pool().endpoints()) {
            shares.merge(
                    Outcome.Delivered.to(endpoint, source(flow, treatment, balance, endpoint)),
                    1,
                    Integer::sum);
        }
        return new Outcomes(shares);
    }

    private Outcome.Source source(
            Flow flow, Treatment treatment, Disposition.Balance balance, Endpoint endpoint) {
        if (flow.origin() == Flow.Origin.HOST || flow.source().equals(endpoint.address())) {
            return Outcome.Source.NODE;
        }
        // A process of this node is reached without passing the hook where sources are rewritten.
        if (node.addresses().contains(endpoint.address())) {
            return Outcome.Source.KEPT;
        }
        return switch (balance.source()) {
            case MASQUERADE -> Outcome.Source.NODE;
            case KEEP ->
                    answersPastThisNode(flow, treatment, balance.pool(), endpoint)
                            ? Outcome.Source.NODE
                            : Outcome.Source.KEPT;
        };
    }

    /// Whether the endpoint would answer straight to a pod of another node, which only knows the
    /// address that it dialled (behaviour document 11).
    private boolean answersPastThisNode(
            Flow flow, Treatment treatment, Pool pool, Endpoint endpoint) {
        return treatment.kind() != Treatment.Kind.CLUSTER_IP
                && pool.scope() == Pool.Scope.CLUSTER
                && endpoint.place() == Endpoint.Place.ELSEWHERE
                && graph.node() instanceof NodeRules.Programmed programmed
                && !programmed.ownPods().isEmpty()
                && mayBeRemotePod(programmed, flow.source());
    }
}
