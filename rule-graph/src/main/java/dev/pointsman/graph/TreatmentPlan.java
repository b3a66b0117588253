package dev.pointsman.graph;

import static dev.pointsman.graph.Disposition.SourceAddress.KEEP;
import static dev.pointsman.graph.Disposition.SourceAddress.MASQUERADE;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// Fills table 2.2 of the behaviour document for one ServicePort.
final class TreatmentPlan {
    private final Site site;
    private final Service service;
    private final Service.Port port;
    private final ServicePortName owner;
    private final EndpointSelection selection;
    private final List<Pool> earlier;

    /// @param earlier the pools that the Service had before, whose slots are kept where they can be
    TreatmentPlan(Site site, ServiceState.Present state, Service.Port port, List<Pool> earlier) {
        this.site = site;
        this.service = state.service();
        this.port = port;
        this.earlier = earlier;
        owner = new ServicePortName(service.name(), port.name(), port.protocol());
        selection =
                EndpointSelection.choose(owner, site.family(), state.slices(), site.node(), use());
    }

    /// Every Frontend of the port with its treatment. An address that is both external and a load
    /// balancer's is the latter, because only that can have source ranges.
    Map<Frontend, Treatment> treatments() {
        Map<Frontend, Treatment> treatments = new LinkedHashMap<>();
        service.clusterIp(site.family()).ifPresent(ip -> treatments.put(at(ip), clusterIp()));
        Treatment loadBalancer = external(Treatment.Kind.LOAD_BALANCER_IP, sources());
        for (IpAddress address : loadBalancerIps()) {
            treatments.putIfAbsent(at(address), loadBalancer);
        }
        Treatment external = external(Treatment.Kind.EXTERNAL_IP, new Sources.Everyone());
        for (IpAddress address : externalIps()) {
            treatments.putIfAbsent(at(address), external);
        }
        if (port.nodePort() != 0) {
            treatments.put(
                    new Frontend.NodePort(port.protocol(), port.nodePort()),
                    external(Treatment.Kind.NODE_PORT, new Sources.Everyone()));
        }
        return treatments;
    }

    /// The cluster list is needed even where both policies are Local: pods and processes of this
    /// node take a short cut to external addresses.
    private EndpointSelection.Use use() {
        boolean externallyAccessible =
                port.nodePort() != 0 || !loadBalancerIps().isEmpty() || !externalIps().isEmpty();
        boolean internalLocal = service.internalPolicy() == TrafficPolicy.LOCAL;
        boolean usesCluster = !internalLocal || externallyAccessible;
        boolean usesLocal = internalLocal || service.externalPolicyLocal() && externallyAccessible;
        if (!usesCluster) {
            return EndpointSelection.Use.LOCAL;
        }
        return usesLocal ? EndpointSelection.Use.BOTH : EndpointSelection.Use.CLUSTER;
    }

    private Treatment clusterIp() {
        Pool.Scope scope =
                service.internalPolicy() == TrafficPolicy.LOCAL
                        ? Pool.Scope.LOCAL
                        : Pool.Scope.CLUSTER;
        boolean all = site.settings().masquerade() == Settings.MasqueradeScope.ALL;
        Disposition kept = balance(scope, all ? MASQUERADE : KEEP);
        Disposition fromElsewhere = balance(scope, all || site.detectsPods() ? MASQUERADE : KEEP);
        return treatment(
                Treatment.Kind.CLUSTER_IP,
                new Sources.Everyone(),
                kept,
                fromElsewhere,
                fromElsewhere);
    }

    private Treatment external(Treatment.Kind kind, Sources sources) {
        Disposition masqueraded = balance(Pool.Scope.CLUSTER, MASQUERADE);
        if (!service.externalPolicyLocal()) {
            return treatment(kind, sources, masqueraded, masqueraded, masqueraded);
        }
        Disposition outside = balance(Pool.Scope.LOCAL, KEEP);
        Disposition pod = site.detectsPods() ? balance(Pool.Scope.CLUSTER, KEEP) : outside;
        return treatment(kind, sources, pod, masqueraded, outside);
    }

    private Disposition balance(Pool.Scope scope, Disposition.SourceAddress source) {
        if (!selection.anywhere()) {
            return new Disposition.Reject();
        }
        SortedSet<Endpoint> wanted =
                switch (scope) {
                    case CLUSTER -> selection.cluster();
                    case LOCAL -> selection.local();
                };
        return wanted.isEmpty()
                ? new Disposition.Drop()
                : new Disposition.Balance(pool(scope, wanted), source);
    }

    private Pool pool(Pool.Scope scope, SortedSet<Endpoint> wanted) {
        for (Pool pool : earlier) {
            if (pool.scope() == scope && pool.owner().equals(owner)) {
                return pool.settle(wanted);
            }
        }
        return Pool.of(owner, scope, wanted);
    }

    private Treatment treatment(
            Treatment.Kind kind,
            Sources sources,
            Disposition fromPod,
            Disposition fromHost,
            Disposition fromOutside) {
        return new Treatment(
                owner,
                kind,
                sources,
                service.affinity(),
                fromPod,
                fromHost,
                fromOutside,
                service.scheduler().isEmpty()
                        ? site.settings().ipvs().scheduler()
                        : service.scheduler());
    }

    /// Ranges of the other family only mean no restriction. A node that may use the address may
    /// also send from that very address, which clouds put on one of its interfaces.
    private Sources sources() {
        SortedSet<Cidr> ranges = new TreeSet<>();
        for (Cidr range : service.sourceRanges()) {
            if (range.family() == site.family()) {
                ranges.add(range);
            }
        }
        if (ranges.isEmpty()) {
            return new Sources.Everyone();
        }
        boolean nodeAllowed =
                site.node().primary(site.family()).stream()
                        .anyMatch(ip -> ranges.stream().anyMatch(range -> range.contains(ip)));
        if (nodeAllowed) {
            loadBalancerIps().forEach(address -> ranges.add(Cidr.of(address)));
        }
        return new Sources.Only(ranges);
    }

    private List<IpAddress> loadBalancerIps() {
        return ofFamily(service.addresses().loadBalancer());
    }

    private List<IpAddress> externalIps() {
        return switch (site.settings().externalIps()) {
            case ALLOWED -> ofFamily(service.addresses().external());
            case IGNORED -> List.of();
        };
    }

    private List<IpAddress> ofFamily(List<IpAddress> addresses) {
        return addresses.stream().filter(a -> a.family() == site.family()).toList();
    }

    private Frontend at(IpAddress address) {
        return new Frontend.Address(address, port.protocol(), port.port());
    }
}
