package dev.pointsman.packet.conntrack;

import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Treatment;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Oracle;
import dev.pointsman.packet.conntrack.StaleFlow.Fault;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.read.ConntrackReader.Listed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Holds flows against the cluster of today. A flow to what is no Service's address is nobody's,
/// whoever translated it.
public final class FlowAudit {
    /// More endpoints than any cluster has lost.
    private static final int MOST_KINDS = 10_000;

    /// Their ends are over, and the entries only linger.
    private static final Set<String> ENDED = Set.of("TIME_WAIT", "CLOSE");

    private record Socket(IpAddress address, int port) {}

    /// Flows that have the same fault.
    ///
    /// @param first the one that was listed first
    public record Kind(StaleFlow stale, long flows, Listed first) {
        private Kind and(Listed more) {
            return new Kind(stale, flows + 1, more.line() < first.line() ? more : first);
        }
    }

    /// What came of all flows of a family.
    ///
    /// @param flows those to Services
    /// @param others stale flows of further kinds, which were not told apart
    public record Result(List<Kind> kinds, long flows, long others) {
        public Result {
            kinds = List.copyOf(kinds);
        }
    }

    private final RuleGraph graph;
    private final NodeView node;
    private final Oracle oracle;
    private final Map<ServiceName, ServiceState.Present> services = new HashMap<>();
    private final Map<ServicePortName, Set<Socket>> answering = new HashMap<>();

    public FlowAudit(RuleGraph graph, NodeView node, List<ServiceState.Present> services) {
        this.graph = graph;
        this.node = node;
        this.oracle = new Oracle(graph, node);
        services.forEach(state -> this.services.put(state.name(), state));
    }

    /// Looks at all flows of the graph's family.
    public Result judge(FlowTable table) {
        Sum sum = new Sum();
        table.forEach(graph.family(), sum::add);
        return new Result(List.copyOf(sum.kinds.values()), sum.flows, sum.others);
    }

    private final class Sum {
        private final SortedMap<StaleFlow, Kind> kinds = new TreeMap<>();
        private long flows;
        private long others;

        void add(Listed listed) {
            Optional<ServicePortName> owner = owner(listed);
            if (owner.isPresent()) {
                flows++;
                fault(owner.get(), listed).ifPresent(stale -> add(stale, listed));
            }
        }

        private void add(StaleFlow stale, Listed listed) {
            if (kinds.size() < MOST_KINDS || kinds.containsKey(stale)) {
                kinds.merge(stale, new Kind(stale, 1, listed), (before, _) -> before.and(listed));
            } else {
                others++;
            }
        }
    }

    /// Empty for a flow to no Service, and for one that is where it should be.
    public Optional<StaleFlow> judge(Listed listed) {
        return owner(listed).flatMap(owner -> fault(owner, listed));
    }

    private Optional<ServicePortName> owner(Listed listed) {
        Packet original = listed.connection().original();
        if (original.destinationPort() == 0) {
            return Optional.empty();
        }
        return Protocol.of(original.transport().protocol())
                .flatMap(
                        protocol ->
                                oracle.treatment(
                                        new Flow(
                                                Flow.Origin.OUTSIDE,
                                                protocol,
                                                original.source(),
                                                original.destination(),
                                                original.destinationPort())))
                .map(Treatment::owner);
    }

    private Optional<StaleFlow> fault(ServicePortName owner, Listed listed) {
        Packet original = listed.connection().original();
        Packet reply = listed.connection().reply();
        Socket answerer = new Socket(reply.source(), reply.sourcePort());
        Set<Socket> answering = this.answering.computeIfAbsent(owner, this::answering);
        boolean untranslated =
                answerer.equals(new Socket(original.destination(), original.destinationPort()));
        if (answering.contains(answerer)
                || untranslated && answering.isEmpty()
                || ENDED.contains(listed.state())) {
            return Optional.empty();
        }
        return Optional.of(
                new StaleFlow(
                        owner,
                        untranslated ? Fault.UNTRANSLATED : Fault.GONE,
                        answerer.address(),
                        answerer.port()));
    }

    private Set<Socket> answering(ServicePortName owner) {
        Set<Socket> sockets = new HashSet<>();
        ServiceState.Present state = services.get(owner.service());
        if (state != null) {
            for (Endpoint endpoint : state.answering(owner, graph.family(), node)) {
                sockets.add(new Socket(endpoint.address(), endpoint.port()));
            }
        }
        return sockets;
    }
}
