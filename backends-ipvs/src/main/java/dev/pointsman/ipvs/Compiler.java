package dev.pointsman.ipvs;

import dev.pointsman.graph.Change;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.Treatment;
import dev.pointsman.iptables.Subject;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Turns a graph, or the part of it that a change touches, into what the kernel shall hold.
final class Compiler {
    private static final Subject NODE = new Subject.Node();

    private final RuleGraph graph;
    private final NodeRules.Programmed node;
    private final FixedRules rules;
    private final Inventory out = Inventory.empty(true);

    private Compiler(RuleGraph graph, NodeRules.Programmed node) {
        this.graph = graph;
        this.node = node;
        rules = new FixedRules(graph.family(), node);
    }

    /// Everything. Nothing when nothing is programmed.
    static Inventory all(RuleGraph graph) {
        if (!(graph.node() instanceof NodeRules.Programmed node)) {
            return Inventory.empty(false);
        }
        Compiler compiler = new Compiler(graph, node);
        compiler.frontends(graph.frontends().keySet());
        compiler.addresses(addressesOf(graph.frontends().keySet()));
        compiler.out.addresses().add(NodePortAddress.of(graph.family()));
        compiler.endpoints(graph.localEndpoints());
        compiler.rules.write(graph, compiler.out.chains());
        return compiler.out;
    }

    /// What `graph` has of all that `delta`, which leads from or to it and leaves the node's rules
    /// as they are, touches.
    ///
    /// @param other the graph at the delta's other end
    static Inventory touched(
            RuleGraph graph, NodeRules.Programmed node, RuleGraph other, Delta delta) {
        Compiler compiler = new Compiler(graph, node);
        SortedSet<Frontend> touched = neighbours(graph, other, delta);
        compiler.frontends(touched);
        compiler.addresses(addressesOf(touched));
        compiler.endpoints(endpointsOf(delta));
        if (!delta.healthChecks().isEmpty()) {
            compiler.out.chains().add(compiler.rules.healthChecks(graph));
        }
        if (touched.stream()
                .anyMatch(
                        frontend ->
                                !FixedRules.shortCut(graph, frontend)
                                        .equals(FixedRules.shortCut(other, frontend)))) {
            compiler.rules.shortCuts(graph).forEach(compiler.out.chains()::add);
        }
        return compiler.out;
    }

    /// The Frontends of the delta, and those whose [ShortCut] may depend on them: all of the same
    /// ServicePorts, and of those that may have lost a port to one of them.
    private static SortedSet<Frontend> neighbours(RuleGraph graph, RuleGraph other, Delta delta) {
        Set<ServicePortName> owners = new HashSet<>();
        SortedSet<Frontend> touched = new TreeSet<>(delta.frontends().keySet());
        for (Change<Treatment> change : delta.frontends().values()) {
            treatments(change).forEach(treatment -> owners.add(treatment.owner()));
        }
        for (Frontend frontend : delta.frontends().keySet()) {
            if (frontend instanceof Frontend.Address address) {
                for (RuleGraph each : List.of(graph, other)) {
                    Treatment partner = each.frontends().get(ShortCut.partner(address));
                    if (partner != null) {
                        owners.add(partner.owner());
                    }
                }
            }
        }
        for (ServicePortName owner : owners) {
            touched.addAll(graph.frontendsOf(owner));
            touched.addAll(other.frontendsOf(owner));
        }
        return touched;
    }

    private static List<Treatment> treatments(Change<Treatment> change) {
        return switch (change) {
            case Change.Added<Treatment>(var after) -> List.of(after);
            case Change.Removed<Treatment>(var before) -> List.of(before);
            case Change.Replaced<Treatment>(var before, var after) -> List.of(before, after);
        };
    }

    private static Set<IpAddress> addressesOf(Collection<Frontend> frontends) {
        Set<IpAddress> addresses = new HashSet<>();
        for (Frontend frontend : frontends) {
            if (frontend instanceof Frontend.Address(var address, _, _)) {
                addresses.add(address);
            }
        }
        return addresses;
    }

    private static Set<IpAddress> endpointsOf(Delta delta) {
        Set<IpAddress> addresses = new HashSet<>();
        for (Change<Treatment> change : delta.frontends().values()) {
            for (Treatment treatment : treatments(change)) {
                for (Pool pool : treatment.pools()) {
                    pool.endpoints().forEach(endpoint -> addresses.add(endpoint.address()));
                }
            }
        }
        return addresses;
    }

    private void frontends(Collection<Frontend> frontends) {
        for (Frontend frontend : frontends) {
            Treatment treatment = graph.frontends().get(frontend);
            if (treatment != null) {
                new FrontendPart(graph, frontend, treatment).write(out);
            }
        }
    }

    /// An external address that is the node's own is on a device already.
    private void addresses(Collection<IpAddress> addresses) {
        for (IpAddress address : addresses) {
            if (graph.hasAddress(address) && !node.addresses().contains(address)) {
                out.addresses().add(address);
            }
        }
    }

    private void endpoints(Collection<IpAddress> addresses) {
        for (IpAddress address : addresses) {
            if (graph.hasLocalEndpoint(address)) {
                Cidr range = Cidr.of(address);
                out.add(ServiceSet.HAIRPIN, new Member.NetNet(range, range), NODE);
            }
        }
    }
}
