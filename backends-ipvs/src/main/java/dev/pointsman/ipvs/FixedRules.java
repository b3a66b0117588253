package dev.pointsman.ipvs;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.NodePortAddresses;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Treatment;
import dev.pointsman.iptables.Capabilities;
import dev.pointsman.iptables.Chain;
import dev.pointsman.iptables.ChainNames;
import dev.pointsman.iptables.Contents;
import dev.pointsman.iptables.Jump;
import dev.pointsman.iptables.Match;
import dev.pointsman.iptables.Match.Sense;
import dev.pointsman.iptables.NodePart;
import dev.pointsman.iptables.Rule;
import dev.pointsman.iptables.Subject;
import dev.pointsman.iptables.Table;
import dev.pointsman.iptables.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The iptables rules of mode `ipvs`: the same however many Services there are, but for health
/// checks and short cuts.
///
/// IPVS takes packets after filter INPUT, and those of the node itself before filter OUTPUT. What
/// must be dropped wherever it comes from is therefore dropped in mangle, before any address is
/// translated.
final class FixedRules {
    private static final Subject NODE = new Subject.Node();
    private static final String ADDRESS_AND_PORT = "dst,dst";
    private static final String NEW = "NEW";

    // Without random ports: with them kube-proxy's mode ipvs lost 182 of 21,900 first packets
    // (behaviour document 11).
    private static final Capabilities CAPABILITIES =
            new Capabilities(
                    Capabilities.RandomFully.MISSING, Capabilities.InvalidPackets.LEFT_ALONE);

    private final Family family;
    private final NodeRules.Programmed node;
    private final NodePart part;

    FixedRules(Family family, NodeRules.Programmed node) {
        this.family = family;
        this.node = silent(node);
        part = new NodePart(family, this.node, CAPABILITIES);
    }

    /// IPVS cannot serve loopback addresses.
    private static NodeRules.Programmed silent(NodeRules.Programmed node) {
        return new NodeRules.Programmed(
                node.masqueradeMark(),
                node.detector(),
                node.nodePorts(),
                NodePortAddresses.Loopback.SILENT,
                node.clusterIpGuard(),
                node.serviceRanges(),
                node.ownPods(),
                node.addresses(),
                node.ipvs());
    }

    /// All chains, and the jumps into them.
    void write(RuleGraph graph, Contents out) {
        part.first().forEach(out::add);
        out.add(healthChecks(graph));
        shortCuts(graph).forEach(out::add);
        remoteNodePorts().forEach(out::add);
        Stream.of(
                        sourceRanges(),
                        admission(),
                        serviceAddresses(),
                        nodePorts(),
                        services(),
                        postrouting(),
                        part.forward(),
                        unallocated(),
                        input(),
                        output())
                .forEach(out::add);
        jumps().forEach(out::add);
    }

    private List<Jump> jumps() {
        List<Jump> jumps = new ArrayList<>();
        for (String hook : List.of("PREROUTING", "OUTPUT")) {
            jumps.add(
                    jump(
                            Table.MANGLE,
                            hook,
                            ChainNames.PROXY_FIREWALL,
                            state(NEW),
                            new Match.Comment("kubernetes packets that no endpoint may get")));
        }
        jumps.addAll(part.toRemoteNodePorts(Table.MANGLE));
        jumps.add(NodePart.toHealthChecks());
        jumps.add(
                jump(
                        Table.FILTER,
                        "INPUT",
                        ChainNames.IPVS_FILTER,
                        new Match.Comment("kubernetes ipvs access filter")));
        jumps.add(NodePart.toForward());
        jumps.add(
                jump(
                        Table.FILTER,
                        "OUTPUT",
                        ChainNames.IPVS_OUT_FILTER,
                        new Match.Comment("kubernetes ipvs access filter")));
        for (String hook : List.of("FORWARD", "OUTPUT")) {
            for (Rule guard : part.toGuard()) {
                jumps.add(new Jump(Table.FILTER, hook, guard.under(List.of(state(NEW)))));
            }
        }
        jumps.addAll(part.toRemoteNodePorts(Table.NAT));
        jumps.addAll(NodePart.toTranslation());
        return jumps;
    }

    /// What lets load balancers ask for this node's endpoints.
    Chain healthChecks(RuleGraph graph) {
        return part.healthChecks(graph.healthChecks());
    }

    /// A chain with a rule for every short cut of an address, and one for those of node ports.
    List<Chain> shortCuts(RuleGraph graph) {
        List<Rule> addresses = new ArrayList<>();
        List<Rule> ports = new ArrayList<>();
        for (Map.Entry<Frontend, Treatment> entry : graph.frontends().entrySet()) {
            shortCut(graph, entry.getKey())
                    .ifPresent(
                            rule -> {
                                switch (entry.getKey()) {
                                    case Frontend.Address _ -> addresses.add(rule);
                                    case Frontend.NodePort _ -> ports.add(rule);
                                }
                            });
        }
        return List.of(
                Chain.of(Table.NAT, ChainNames.SHORT_CUTS, addresses, NODE),
                Chain.of(Table.NAT, ChainNames.NODE_PORT_SHORT_CUTS, ports, NODE));
    }

    /// The rule that leads packets of pods and processes of this node.
    static Optional<Rule> shortCut(RuleGraph graph, Frontend frontend) {
        Treatment treatment = graph.frontends().get(frontend);
        if (treatment == null) {
            return Optional.empty();
        }
        return ShortCut.of(graph, treatment)
                .map(
                        way ->
                                Rule.of(
                                                new Target.Dnat(
                                                        new Endpoint(
                                                                way.server().address(),
                                                                way.server().port(),
                                                                Endpoint.Place.THIS_NODE)))
                                        .under(matches(frontend, treatment)));
    }

    private static List<Match> matches(Frontend frontend, Treatment treatment) {
        List<Match> matches = new ArrayList<>();
        if (frontend instanceof Frontend.Address(var address, _, _)) {
            matches.add(new Match.Destination(Sense.IS, Cidr.of(address)));
        }
        matches.add(new Match.ProtocolIs(frontend.protocol()));
        matches.add(new Match.Comment(treatment.owner() + " for this node"));
        matches.add(Match.DestinationPort.of(frontend.protocol(), frontend.port()));
        return matches;
    }

    private Chain sourceRanges() {
        return chain(
                Table.MANGLE,
                ChainNames.SOURCE_RANGES_FIREWALL,
                Rule.of(new Target.Return(), in(ServiceSet.SOURCE_RANGES, "dst,dst,src")),
                Rule.of(new Target.Drop()));
    }

    private Chain admission() {
        List<Rule> rules = new ArrayList<>();
        rules.add(
                Rule.of(
                        new Target.Jump(ChainNames.SOURCE_RANGES_FIREWALL),
                        in(ServiceSet.RESTRICTED)));
        rules.add(Rule.of(new Target.Drop(), in(ServiceSet.DROP)));
        // Only packets that were translated may come there.
        rules.add(
                Rule.of(
                        new Target.Drop(),
                        new Match.Destination(Sense.IS, Cidr.of(NodePortAddress.of(family)))));
        rules.add(Rule.of(new Target.Return(), new Match.SourceIsLocal()));
        rules.add(
                Rule.of(new Target.Drop(), in(ServiceSet.DROP_OUTSIDE))
                        .under(part.fromPods(Sense.IS_NOT)));
        // An address of a Service that is the node's own goes before the node port.
        rules.add(Rule.of(new Target.Return(), in(ServiceSet.SERVICE_IP)));
        for (List<Match> address : part.nodePortAddresses()) {
            rules.add(
                    Rule.of(new Target.Drop(), notOnDevice(), in(ServiceSet.NODE_PORT_DROP_OUTSIDE))
                            .under(address)
                            .under(part.fromPods(Sense.IS_NOT)));
        }
        return chain(Table.MANGLE, ChainNames.PROXY_FIREWALL, rules.toArray(Rule[]::new));
    }

    private Chain services() {
        List<Rule> rules = new ArrayList<>();
        rules.add(Rule.of(new Target.Jump(ChainNames.SERVICE_IPS), in(ServiceSet.SERVICE_IP)));
        for (List<Match> address : part.nodePortAddresses()) {
            rules.add(
                    Rule.of(
                                    new Target.Jump(ChainNames.IPVS_NODE_PORT),
                                    notOnDevice(),
                                    in(ServiceSet.NODE_PORT))
                            .under(address));
        }
        return chain(Table.NAT, ChainNames.SERVICES, rules.toArray(Rule[]::new));
    }

    /// Packets for an address of a Service. The last rule keeps them from node ports.
    private Chain serviceAddresses() {
        List<Rule> rules = new ArrayList<>();
        rules.add(markHost());
        rules.add(mark(in(ServiceSet.MASQUERADE)));
        rules.add(mark(in(ServiceSet.MASQUERADE_NOT_PODS)).under(part.fromPods(Sense.IS_NOT)));
        rules.addAll(toShortCuts(ChainNames.SHORT_CUTS, in(ServiceSet.LOCAL_POLICY)));
        rules.add(Rule.of(new Target.Accept()));
        return chain(Table.NAT, ChainNames.SERVICE_IPS, rules.toArray(Rule[]::new));
    }

    private Chain nodePorts() {
        List<Rule> rules = new ArrayList<>();
        rules.add(markHost());
        rules.add(mark(in(ServiceSet.NODE_PORT_MASQUERADE)));
        rules.addAll(
                toShortCuts(
                        ChainNames.NODE_PORT_SHORT_CUTS, in(ServiceSet.NODE_PORT_LOCAL_POLICY)));
        rules.add(Rule.of(new Target.DnatKeepingPort(NodePortAddress.of(family))));
        return chain(Table.NAT, ChainNames.IPVS_NODE_PORT, rules.toArray(Rule[]::new));
    }

    /// Packets of pods of other nodes at node ports: no short cut, and what clients outside must
    /// not get is dropped. An address of a Service that is the node's own goes before the node
    /// port.
    private List<Chain> remoteNodePorts() {
        if (!part.remotePods().areLikely()) {
            return List.of();
        }
        List<Rule> exempted = new ArrayList<>(part.remotePods().ownPods());
        exempted.add(Rule.of(new Target.Return(), in(ServiceSet.SERVICE_IP)));
        List<Rule> admission = new ArrayList<>(exempted);
        admission.addFirst(
                Rule.of(new Target.Return(), new Match.ConnectionState(Sense.IS_NOT, NEW)));
        admission.add(Rule.of(new Target.Drop(), in(ServiceSet.NODE_PORT_DROP_OUTSIDE)));
        List<Rule> translation = new ArrayList<>(exempted);
        translation.add(
                Rule.of(
                        new Target.DnatKeepingPort(NodePortAddress.of(family)),
                        in(ServiceSet.NODE_PORT_LOCAL_POLICY)));
        return List.of(
                Chain.of(Table.MANGLE, ChainNames.REMOTE_NODE_PORTS, admission, NODE),
                Chain.of(Table.NAT, ChainNames.REMOTE_NODE_PORTS, translation, NODE));
    }

    /// The node's own packets have the Service's address as their source, if nobody chose another:
    /// it lies on a device here.
    private static Rule markHost() {
        return mark(new Match.SourceIsLocal());
    }

    private static Rule mark(Match match) {
        return Rule.of(new Target.Jump(ChainNames.MARK_MASQ), match);
    }

    private List<Rule> toShortCuts(String chain, Match local) {
        List<Rule> rules = new ArrayList<>();
        rules.add(Rule.of(new Target.Jump(chain), new Match.SourceIsLocal(), local));
        List<Match> pods = part.fromPods(Sense.IS);
        if (!pods.isEmpty()) {
            rules.add(Rule.of(new Target.Jump(chain), local).under(pods));
        }
        return rules;
    }

    private Chain postrouting() {
        int mark = node.masqueradeMark();
        List<Rule> rules = new ArrayList<>();
        rules.add(
                Rule.of(
                        new Target.Masquerade(CAPABILITIES.randomFully()),
                        new Match.Comment("endpoints of this node that were sent to themselves"),
                        new Match.Balanced(),
                        in(ServiceSet.HAIRPIN, "dst,src")));
        for (Rule remote : part.remotePods().toMasquerade()) {
            rules.add(remote.under(List.of(new Match.Marked(Sense.IS_NOT, mark), state("DNAT"))));
        }
        rules.addAll(part.masqueradeMarked());
        return chain(Table.NAT, ChainNames.POSTROUTING, rules.toArray(Rule[]::new));
    }

    private Chain unallocated() {
        return chain(Table.FILTER, ChainNames.CLUSTER_IPS, part.unallocated().toArray(Rule[]::new));
    }

    /// What comes to addresses on kube-ipvs0: packets of Services pass, and whatever listens on all
    /// addresses of the node is not reached through them.
    private Chain input() {
        return chain(
                Table.FILTER,
                ChainNames.IPVS_FILTER,
                part.acceptMarked(),
                NodePart.acceptKnown(in(ServiceSet.BOUND_IP, "dst")),
                // To a virtual server by way of another address.
                Rule.of(new Target.Return(), state("DNAT")),
                Rule.of(new Target.Return(), in(ServiceSet.SERVICE_IP)),
                Rule.of(new Target.Reject(family), state(NEW), in(ServiceSet.BOUND_IP, "dst")));
    }

    /// What IPVS forwards passes OUTPUT and not FORWARD, so what FORWARD lets pass passes here.
    private Chain output() {
        return chain(
                Table.FILTER,
                ChainNames.IPVS_OUT_FILTER,
                Rule.of(new Target.Return(), new Match.SourceIsLocal()),
                part.acceptMarked(),
                NodePart.acceptKnown());
    }

    private Match in(ServiceSet set) {
        return in(set, ADDRESS_AND_PORT);
    }

    private Match in(ServiceSet set, String fields) {
        return new Match.InSet(Sense.IS, set.name(family), fields);
    }

    /// Addresses of Services lie on a device of the node, and are no node-port addresses.
    private Match notOnDevice() {
        return new Match.InSet(Sense.IS_NOT, ServiceSet.BOUND_IP.name(family), "dst");
    }

    private static Match state(String states) {
        return new Match.ConnectionState(Sense.IS, states);
    }

    private static Chain chain(Table table, String name, Rule... rules) {
        return Chain.of(table, name, List.of(rules), NODE);
    }

    private static Jump jump(Table table, String from, String to, Match... matches) {
        return new Jump(table, from, Rule.of(new Target.Jump(to), matches));
    }
}
