package dev.pointsman.graph;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Turns what the cluster says into the graph of one family, one Service at a time: a call costs
/// what the named Services cost, whatever else the cluster holds.
///
/// Owned by one thread. The graphs it hands out are immutable.
public final class Planner {

    /// One ServicePort's wish for a Frontend.
    private record Claim(Frontend frontend, Treatment treatment, Instant created) {
        ServicePortName owner() {
            return treatment.owner();
        }

        Claim with(Treatment other) {
            return new Claim(frontend, other, created);
        }
    }

    // Cluster IPs are allocated by the API server; a hijack by external IP must not win by age
    // (CVE-2020-8554). Among the addresses of one port the load balancer's comes first, because
    // only it
    // has source ranges.
    private static final Comparator<Claim> PRECEDENCE =
            Comparator.comparing((Claim c) -> c.treatment().kind() != Treatment.Kind.CLUSTER_IP)
                    .thenComparing(Claim::created)
                    .thenComparing(Claim::owner)
                    .thenComparing(c -> c.treatment().kind());

    private Site site;
    private RuleGraph graph;
    private final Map<ServiceName, List<Claim>> claims = new HashMap<>();

    // Only Frontends with two claims or more, in order of precedence.
    private final SortedMap<Frontend, List<Claim>> contested = new TreeMap<>();

    public Planner(Family family, NodeView node, Settings settings) {
        site = Site.of(family, node, settings);
        graph = RuleGraph.nothing(family);
    }

    /// The graph as of the last call of [#plan]; before it, the graph of an unprogrammed node.
    public RuleGraph graph() {
        return graph;
    }

    /// Frontends that several ServicePorts claim. The first of each list has it.
    public SortedMap<Frontend, List<ServicePortName>> conflicts() {
        SortedMap<Frontend, List<ServicePortName>> conflicts = new TreeMap<>();
        contested.forEach(
                (frontend, all) ->
                        conflicts.put(frontend, all.stream().map(Claim::owner).toList()));
        return Collections.unmodifiableSortedMap(conflicts);
    }

    /// Takes in the present state of the Services that changed and returns what changes in the
    /// graph.
    public Delta plan(Collection<ServiceState> changed) {
        RuleGraph before = graph;
        graph = graph.with(site.rules());
        Set<Frontend> touched = new HashSet<>();
        Set<ServiceName> names = new HashSet<>();
        for (ServiceState state : changed) {
            names.add(state.name());
            replaceClaims(state, touched);
            replaceHealthCheck(state);
        }
        return new Delta(
                site.family(),
                before.node(),
                graph.node(),
                Delta.changes(touched, before.frontends(), graph.frontends()),
                Delta.changes(names, before.healthChecks(), graph.healthChecks()));
    }

    /// As [#plan], after the node or the settings changed: `all` is the state of every Service.
    public Delta replan(NodeView node, Settings settings, Collection<ServiceState> all) {
        site = Site.of(site.family(), node, settings);
        return plan(all);
    }

    /// Takes over the slots of `found`, a graph with the same intent as [#graph]: the kernel may
    /// already hold the endpoints in another order, and moving them for order's sake would be work
    /// for nothing.
    public void adopt(RuleGraph found) {
        Map<ServiceName, List<Pool>> moved = new HashMap<>();
        Delta.between(graph, found)
                .frontends()
                .forEach(
                        (frontend, change) -> {
                            if (!(change instanceof Change.Replaced<Treatment>(_, var after))) {
                                throw new IllegalArgumentException(
                                        "the graph to adopt differs at "
                                                + frontend
                                                + " by more than slots");
                            }
                            moved.computeIfAbsent(after.owner().service(), _ -> new ArrayList<>())
                                    .addAll(after.pools());
                        });
        // A claim that lost its Frontend moves as well: the next plan looks at all claims for the
        // slots of a pool.
        moved.forEach(
                (service, pools) ->
                        claims.computeIfPresent(service, (_, list) -> adopted(list, found, pools)));
        contested.replaceAll(
                (_, list) ->
                        adopted(
                                list,
                                found,
                                moved.values().stream().flatMap(List::stream).toList()));
        graph = found;
    }

    private static List<Claim> adopted(List<Claim> claims, RuleGraph found, List<Pool> moved) {
        List<Claim> adopted = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            Treatment holder = found.frontends().get(claim.frontend());
            adopted.add(
                    claim.with(
                            holder != null && holder.owner().equals(claim.owner())
                                    ? holder
                                    : claim.treatment().movedTo(moved)));
        }
        return adopted;
    }

    private void replaceClaims(ServiceState state, Set<Frontend> touched) {
        List<Claim> old = claims.getOrDefault(state.name(), List.of());
        List<Claim> now =
                switch (state) {
                    case ServiceState.Present present -> claimsOf(present, old);
                    case ServiceState.Absent _ -> List.of();
                };
        if (now.isEmpty()) {
            claims.remove(state.name());
        } else {
            claims.put(state.name(), now);
        }
        Set<Frontend> frontends = new HashSet<>();
        old.forEach(claim -> frontends.add(claim.frontend()));
        now.forEach(claim -> frontends.add(claim.frontend()));
        for (Frontend frontend : frontends) {
            settle(frontend, state.name(), now);
        }
        touched.addAll(frontends);
    }

    /// Gives `frontend` to the first of all who claim it.
    private void settle(Frontend frontend, ServiceName changed, List<Claim> ofChanged) {
        List<Claim> all = new ArrayList<>(claimsOfOthers(frontend, changed));
        for (Claim claim : ofChanged) {
            if (claim.frontend().equals(frontend)) {
                all.add(claim);
            }
        }
        all.sort(PRECEDENCE);
        if (all.size() > 1) {
            contested.put(frontend, all);
        } else {
            contested.remove(frontend);
        }
        if (all.isEmpty()) {
            graph = graph.without(frontend);
        } else if (!all.getFirst().treatment().equals(graph.frontends().get(frontend))) {
            graph = graph.with(frontend, all.getFirst().treatment());
        }
    }

    private List<Claim> claimsOfOthers(Frontend frontend, ServiceName changed) {
        List<Claim> known = contested.get(frontend);
        if (known == null) {
            Treatment holder = graph.frontends().get(frontend);
            known =
                    holder == null
                            ? List.of()
                            : claims.getOrDefault(holder.owner().service(), List.of());
        }
        return known.stream()
                .filter(c -> c.frontend().equals(frontend) && !c.owner().service().equals(changed))
                .toList();
    }

    private List<Claim> claimsOf(ServiceState.Present state, List<Claim> old) {
        if (state.service().clusterIp(site.family()).isEmpty()) {
            return List.of();
        }
        List<Pool> earlier =
                old.stream().flatMap(c -> c.treatment().pools().stream()).distinct().toList();
        List<Claim> now = new ArrayList<>();
        for (Service.Port port : state.service().ports()) {
            new TreatmentPlan(site, state, port, earlier)
                    .treatments()
                    .forEach(
                            (frontend, treatment) ->
                                    now.add(
                                            new Claim(
                                                    frontend,
                                                    treatment,
                                                    state.service().created())));
        }
        return now;
    }

    private void replaceHealthCheck(ServiceState state) {
        if (state instanceof ServiceState.Present(Service service, var slices)
                && service.type() == Service.Type.LOAD_BALANCER
                && service.externalPolicyLocal()
                && service.healthCheckNodePort() != 0
                && service.clusterIp(site.family()).isPresent()) {
            Set<IpAddress> ready = new HashSet<>();
            for (Service.Port port : service.ports()) {
                EndpointSelection.collectLocalReady(
                        new ServicePortName(service.name(), port.name(), port.protocol()),
                        site.family(),
                        slices,
                        site.node(),
                        ready);
            }
            graph =
                    graph.with(
                            service.name(),
                            new HealthCheck(service.healthCheckNodePort(), ready.size()));
        } else {
            graph = graph.withoutHealthCheck(state.name());
        }
    }
}
