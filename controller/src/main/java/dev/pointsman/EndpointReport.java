package dev.pointsman;

import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Treatment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Why the endpoints of ServicePorts are used by a graph or not. Whether one is used is read off
/// the graph; only the reason is worked out here.
final class EndpointReport {
    /// One endpoint of one ServicePort.
    ///
    /// @param cluster whether and why it serves traffic under policy Cluster
    /// @param local whether and why it serves traffic under policy Local
    record Line(
            ServicePortName owner,
            String endpoint,
            String node,
            Condition condition,
            Membership cluster,
            Membership local) {}

    /// What the conditions of an endpoint come to.
    enum Condition {
        READY("ready"),
        DRAINING("draining"),
        NOT_READY("not ready");

        private final String word;

        Condition(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }

        static Condition of(EndpointSlice.Conditions conditions) {
            if (conditions.ready()) {
                return READY;
            }
            return conditions.serving() && conditions.terminating() ? DRAINING : NOT_READY;
        }
    }

    /// Whether an endpoint is in a list.
    record Membership(Answer answer, String reason) {
        enum Answer {
            YES,
            NO
        }

        static Membership yes() {
            return new Membership(Answer.YES, "");
        }

        static Membership no(String reason) {
            return new Membership(Answer.NO, reason);
        }

        @Override
        public String toString() {
            return switch (answer) {
                case YES -> "yes";
                case NO -> "no: " + reason;
            };
        }
    }

    private record At(IpAddress address, int port) {}

    private final Situation situation;
    private final Family family;
    private final Map<ServicePortName, Map<Pool.Scope, Set<At>>> used = new HashMap<>();

    EndpointReport(Situation situation, RuleGraph graph) {
        this.situation = situation;
        family = graph.family();
        for (Treatment treatment : graph.frontends().values()) {
            for (Pool pool : treatment.pools()) {
                used.computeIfAbsent(pool.owner(), _ -> new EnumMap<>(Pool.Scope.class))
                        .put(pool.scope(), places(pool));
            }
        }
    }

    private static Set<At> places(Pool pool) {
        return pool.endpoints().stream()
                .map((Endpoint e) -> new At(e.address(), e.port()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /// The endpoints of all ports of `state`, by address.
    List<Line> lines(ServiceState.Present state) {
        List<Line> lines = new ArrayList<>();
        for (Service.Port port : state.service().ports()) {
            ServicePortName owner = new ServicePortName(state.name(), port.name(), port.protocol());
            merged(owner, state.slices()).forEach((at, entry) -> lines.add(line(owner, at, entry)));
        }
        return lines;
    }

    private Map<At, EndpointSlice.Entry> merged(ServicePortName owner, List<EndpointSlice> slices) {
        Map<At, EndpointSlice.Entry> merged =
                new TreeMap<>(
                        (a, b) -> {
                            int order = a.address().compareTo(b.address());
                            return order != 0 ? order : Integer.compare(a.port(), b.port());
                        });
        for (EndpointSlice slice : slices) {
            for (EndpointSlice.Port port : slice.ports()) {
                if (slice.family() == family
                        && port.name().equals(owner.port())
                        && port.protocol() == owner.protocol()) {
                    for (EndpointSlice.Entry entry : slice.entries()) {
                        merged.merge(
                                new At(entry.address(), port.port()),
                                entry,
                                (earlier, later) ->
                                        later.conditions().terminating() ? earlier : later);
                    }
                }
            }
        }
        return merged;
    }

    private Line line(ServicePortName owner, At at, EndpointSlice.Entry entry) {
        Condition condition = Condition.of(entry.conditions());
        return new Line(
                owner,
                new Endpoint(at.address(), at.port(), Endpoint.Place.ELSEWHERE).toString(),
                entry.node(),
                condition,
                membership(owner, Pool.Scope.CLUSTER, at, condition, entry),
                membership(owner, Pool.Scope.LOCAL, at, condition, entry));
    }

    private Membership membership(
            ServicePortName owner,
            Pool.Scope scope,
            At at,
            Condition condition,
            EndpointSlice.Entry entry) {
        Map<Pool.Scope, Set<At>> pools = used.getOrDefault(owner, Map.of());
        Set<At> pool = pools.getOrDefault(scope, Set.of());
        if (pool.contains(at)) {
            return Membership.yes();
        }
        if (scope == Pool.Scope.LOCAL && !entry.node().equals(situation.node().name())) {
            return Membership.no(
                    entry.node().isEmpty() ? "its slice names no node" : "runs on " + entry.node());
        }
        return Membership.no(
                switch (condition) {
                    case NOT_READY -> "not ready";
                    case DRAINING -> pool.isEmpty() ? unused(scope) : "draining, others are ready";
                    case READY ->
                            pool.isEmpty() ? unused(scope) : "hints prefer others for this node";
                });
    }

    private static String unused(Pool.Scope scope) {
        return switch (scope) {
            case CLUSTER -> "no address uses policy Cluster";
            case LOCAL -> "no address uses policy Local";
        };
    }

    static Map<String, Json> json(Line line) {
        Map<String, Json> item = new LinkedHashMap<>();
        item.put("namespace", new Json.Text(line.owner().service().namespace()));
        item.put("name", new Json.Text(line.owner().service().name()));
        item.put("port", new Json.Text(line.owner().port()));
        item.put("protocol", new Json.Text(line.owner().protocol().name()));
        item.put("endpoint", new Json.Text(line.endpoint()));
        item.put("node", new Json.Text(line.node()));
        item.put("condition", new Json.Text(line.condition().word()));
        item.put("cluster", json(line.cluster()));
        item.put("local", json(line.local()));
        return item;
    }

    private static Json json(Membership membership) {
        Map<String, Json> fields = new LinkedHashMap<>();
        fields.put("used", new Json.Truth(membership.answer() == Membership.Answer.YES));
        fields.put("reason", new Json.Text(membership.reason()));
        return new Json.Fields(fields);
    }
}
