package dev.pointsman.graph;

import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/// Where the UDP flows of this node to Services belong, in one family, once the kernel holds the
/// graph. Immutable; a change costs what the Services cost that changed.
public final class ExpectedFlows {
    private final RuleGraph graph;
    private final HashPMap<ServiceName, SortedMap<ServicePortName, SortedSet<Endpoint>>> answering;
    private final SortedSet<Frontend> gone;

    private ExpectedFlows(
            RuleGraph graph,
            HashPMap<ServiceName, SortedMap<ServicePortName, SortedSet<Endpoint>>> answering,
            SortedSet<Frontend> gone) {
        this.graph = graph;
        this.answering = answering;
        this.gone = gone;
    }

    /// Of a node without Services.
    public static ExpectedFlows nothing(Family family) {
        return new ExpectedFlows(
                RuleGraph.nothing(family), HashTreePMap.empty(), Collections.emptySortedSet());
    }

    public Family family() {
        return graph.family();
    }

    /// UDP Frontends that the kernel held and holds no more, as far as flows to them may be left.
    public SortedSet<Frontend> gone() {
        return gone;
    }

    /// The same with what is known of one Service; this very object if its UDP flows may stay where
    /// they are.
    public ExpectedFlows with(ServiceState state, NodeView node) {
        SortedMap<ServicePortName, SortedSet<Endpoint>> now =
                switch (state) {
                    case ServiceState.Present present -> answering(present, node);
                    case ServiceState.Absent _ -> Collections.emptySortedMap();
                };
        SortedMap<ServicePortName, SortedSet<Endpoint>> before = answering.get(state.name());
        if (now.equals(before == null ? Collections.emptySortedMap() : before)) {
            return this;
        }
        return new ExpectedFlows(
                graph,
                now.isEmpty() ? answering.minus(state.name()) : answering.plus(state.name(), now),
                gone);
    }

    private SortedMap<ServicePortName, SortedSet<Endpoint>> answering(
            ServiceState.Present state, NodeView node) {
        SortedMap<ServicePortName, SortedSet<Endpoint>> answering = new TreeMap<>();
        for (Service.Port port : state.service().ports()) {
            if (port.protocol() == Protocol.UDP) {
                ServicePortName name =
                        new ServicePortName(state.name(), port.name(), port.protocol());
                answering.put(name, state.answering(name, graph.family(), node));
            }
        }
        return answering;
    }

    /// The same, with what the kernel holds by now.
    ///
    /// @param noMore UDP Frontends that it held before; those in `held` do not count
    public ExpectedFlows in(RuleGraph held, Set<Frontend> noMore) {
        SortedSet<Frontend> missing = new TreeSet<>();
        for (Frontend frontend : noMore) {
            if (!held.frontends().containsKey(frontend)) {
                missing.add(frontend);
            }
        }
        return new ExpectedFlows(held, answering, Collections.unmodifiableSortedSet(missing));
    }

    /// The same, in the place of an earlier one that was not, or not completely, brought about.
    public ExpectedFlows after(ExpectedFlows earlier) {
        SortedSet<Frontend> all = new TreeSet<>(gone);
        all.addAll(earlier.gone);
        return in(graph, all);
    }

    /// Tells which flows are not where they belong.
    ///
    /// @param own addresses of the node beside those that its Node names
    public StaleFlows staleOn(Set<IpAddress> own) {
        return new StaleFlows(graph, this::answering, gone, own);
    }

    private SortedSet<Endpoint> answering(ServicePortName port) {
        SortedMap<ServicePortName, SortedSet<Endpoint>> ofService = answering.get(port.service());
        SortedSet<Endpoint> endpoints = ofService == null ? null : ofService.get(port);
        return endpoints == null ? Collections.emptySortedSet() : endpoints;
    }
}
