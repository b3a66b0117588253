package dev.pointsman.iptables;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.HealthCheck;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.LocalDetector;
import dev.pointsman.graph.NodePortAddresses;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.iptables.Match.Sense;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/// The rules that are the same however many Services there are, and those of the node's own
/// endpoints and health checks.
public final class NodePart {
    /// What is no longer in the canary chains once somebody flushed the table.
    static final String CANARY_REMARK = "gone once the table is flushed";

    private static final Subject NODE = new Subject.Node();
    private static final Cidr IPV4_LOOPBACK = Cidr.parse("127.0.0.0/8");
    private static final Cidr IPV6_LOOPBACK = Cidr.of(new IpAddress.Ipv6(0, 1));
    private static final String NEW = "NEW";
    private static final Match TRANSLATED = new Match.ConnectionState(Sense.IS, "DNAT");

    private final Family family;
    private final NodeRules.Programmed node;
    private final Capabilities capabilities;
    private final RemotePods remotePods;

    /// The part of one family under `node`.
    public NodePart(Family family, NodeRules.Programmed node, Capabilities capabilities) {
        this.family = family;
        this.node = node;
        this.capabilities = capabilities;
        remotePods = new RemotePods(node, masquerade());
    }

    /// The rules in chains that are not ours and lead into ours, in the order in which they shall
    /// stand there.
    List<Jump> jumps() {
        List<Jump> jumps = new ArrayList<>();
        String services = "kubernetes service portals";
        jumps.add(toHealthChecks());
        jumps.add(onNew("INPUT", ChainNames.SERVICES, services));
        jumps.add(
                onNew(
                        "INPUT",
                        ChainNames.EXTERNAL_SERVICES,
                        "kubernetes externally-visible service portals"));
        jumps.add(toForward());
        jumps.add(onNew("FORWARD", ChainNames.SERVICES, services));
        jumps.add(onNew("OUTPUT", ChainNames.SERVICES, services));
        if (loopbackAnswers()) {
            jumps.add(jump(Table.FILTER, "INPUT", ChainNames.FIREWALL));
            jumps.add(jump(Table.FILTER, "OUTPUT", ChainNames.FIREWALL));
        }
        jumps.addAll(toRemoteNodePorts(Table.NAT));
        jumps.addAll(toTranslation());
        return jumps;
    }

    /// The jump to [#healthChecks].
    public static Jump toHealthChecks() {
        return jump(
                Table.FILTER,
                "INPUT",
                ChainNames.NODE_PORTS,
                new Match.Comment("kubernetes health check service ports"));
    }

    /// The jump to [#forward].
    public static Jump toForward() {
        return jump(
                Table.FILTER,
                "FORWARD",
                ChainNames.FORWARD,
                new Match.Comment("kubernetes forwarding rules"));
    }

    /// The jumps into KUBE-REMOTE-NODEPORTS, which come before those of [#toTranslation].
    public List<Jump> toRemoteNodePorts(Table table) {
        return remotePods.toNodePorts(nodePortAddresses(new Match.ToItsInterface())).stream()
                .map(rule -> new Jump(table, "PREROUTING", rule))
                .toList();
    }

    /// The jumps of the nat table.
    public static List<Jump> toTranslation() {
        List<Jump> jumps = new ArrayList<>();
        for (String hook : List.of("PREROUTING", "OUTPUT")) {
            jumps.add(
                    jump(
                            Table.NAT,
                            hook,
                            ChainNames.SERVICES,
                            new Match.Comment("kubernetes service portals")));
        }
        jumps.add(
                jump(
                        Table.NAT,
                        "POSTROUTING",
                        ChainNames.POSTROUTING,
                        new Match.Comment("kubernetes postrouting rules")));
        return jumps;
    }

    /// Chains that the others lead to.
    public List<Chain> first() {
        List<Chain> chains = new ArrayList<>();
        for (Table table : Table.values()) {
            // The rule is what a flush takes away while it leaves the chain.
            chains.add(
                    chain(
                            table,
                            ChainNames.CANARY,
                            Rule.of(new Target.Return(), new Match.Comment(CANARY_REMARK))));
        }
        chains.add(
                chain(
                        Table.NAT,
                        ChainNames.MARK_MASQ,
                        Rule.of(new Target.SetMark(node.masqueradeMark()))));
        chains.addAll(remotePods.chains());
        return chains;
    }

    /// Chains that lead to others.
    List<Chain> last() {
        List<Chain> chains = new ArrayList<>(List.of(postrouting(), forward(), untranslated()));
        if (loopbackAnswers()) {
            chains.add(firewall());
        }
        return chains;
    }

    /// The part for pods of other nodes.
    public RemotePods remotePods() {
        return remotePods;
    }

    /// Whether packets from 127.0.0.0/8 shall be routed.
    boolean loopbackAnswers() {
        return family == Family.IPV4
                && switch (node.loopback()) {
                    case ANSWERS -> true;
                    case SILENT -> false;
                };
    }

    public boolean guardsClusterIps() {
        return switch (node.clusterIpGuard()) {
            case ON -> true;
            case OFF -> false;
        };
    }

    /// What a packet must be for the detector to call it a local pod's; nothing when there is no
    /// detector.
    public List<Match> fromPods(Sense sense) {
        return switch (node.detector()) {
            case LocalDetector.None _ -> List.of();
            case LocalDetector.Range(var range) -> List.of(new Match.Source(sense, range));
            case LocalDetector.Interface(var name) ->
                    List.of(new Match.InputInterface(sense, name));
            case LocalDetector.InterfacePrefix(var prefix) ->
                    List.of(new Match.InputInterface(sense, prefix + "+"));
        };
    }

    /// The last rules of nat KUBE-SERVICES. Node ports come last: an external IP that is the node's
    /// own wins (behaviour document, trap 6).
    List<Rule> toNodePorts() {
        Match remark =
                new Match.Comment(
                        "kubernetes service nodeports; NOTE: this must be the last rule in this"
                                + " chain");
        List<Rule> rules = new ArrayList<>();
        for (List<Match> address : nodePortAddresses()) {
            rules.add(Rule.of(new Target.Jump(ChainNames.NODE_PORTS), remark).under(address));
        }
        return rules;
    }

    /// The last rules of filter KUBE-SERVICES.
    public List<Rule> toGuard() {
        return guardsClusterIps()
                ? List.of(
                        Rule.of(
                                new Target.Jump(ChainNames.CLUSTER_IPS),
                                new Match.DestinationIsLocal(Sense.IS_NOT)))
                : List.of();
    }

    /// The last rules of KUBE-CLUSTER-IPS.
    public List<Rule> unallocated() {
        List<Rule> rules = new ArrayList<>();
        for (Cidr range : node.serviceRanges()) {
            rules.add(
                    Rule.of(
                            new Target.Drop(),
                            new Match.Destination(Sense.IS, range),
                            new Match.Comment("traffic to unallocated cluster IPs")));
        }
        return rules;
    }

    /// Endpoints of this node may be sent to themselves, and would drop their own address as
    /// source. kube-proxy asks this in a chain for every endpoint; here only translated flows that
    /// keep their source ask, and only for this node's endpoints.
    Chain keptSources(Set<IpAddress> localEndpoints) {
        List<Rule> rules = new ArrayList<>();
        for (IpAddress address : new TreeSet<>(localEndpoints)) {
            rules.add(
                    Rule.of(
                            masquerade(),
                            new Match.Source(Sense.IS, Cidr.of(address)),
                            new Match.Destination(Sense.IS, Cidr.of(address))));
        }
        rules.addAll(remotePods.toMasquerade());
        return chain(Table.NAT, ChainNames.KEPT_SOURCES, rules.toArray(Rule[]::new));
    }

    /// What lets a load balancer ask.
    public Chain healthChecks(SortedMap<ServiceName, HealthCheck> checks) {
        List<Rule> rules = new ArrayList<>();
        for (Map.Entry<ServiceName, HealthCheck> entry : checks.entrySet()) {
            rules.add(
                    Rule.of(
                            new Target.Accept(),
                            new Match.ProtocolIs(Protocol.TCP),
                            new Match.Comment(entry.getKey() + " health check node port"),
                            Match.DestinationPort.of(Protocol.TCP, entry.getValue().port())));
        }
        return chain(Table.FILTER, ChainNames.NODE_PORTS, rules.toArray(Rule[]::new));
    }

    private Chain postrouting() {
        List<Rule> rules = new ArrayList<>();
        rules.add(
                Rule.of(
                        new Target.Jump(ChainNames.KEPT_SOURCES),
                        new Match.Marked(Sense.IS_NOT, node.masqueradeMark()),
                        TRANSLATED));
        rules.addAll(masqueradeMarked());
        return chain(Table.NAT, ChainNames.POSTROUTING, rules.toArray(Rule[]::new));
    }

    /// The last rules of KUBE-POSTROUTING.
    public List<Rule> masqueradeMarked() {
        int mark = node.masqueradeMark();
        return List.of(
                Rule.of(new Target.Return(), new Match.Marked(Sense.IS_NOT, mark)),
                // A tunnel sends the packet through here again, still marked.
                Rule.of(new Target.FlipMark(mark)),
                Rule.of(
                        masquerade(),
                        new Match.Comment("kubernetes service traffic requiring SNAT")));
    }

    private Target masquerade() {
        return new Target.Masquerade(capabilities.randomFully());
    }

    /// What lets forwarded packets of Services pass.
    public Chain forward() {
        List<Rule> rules = new ArrayList<>();
        switch (capabilities.invalid()) {
            case LEFT_ALONE -> {}
            case DROPPED ->
                    rules.add(
                            Rule.of(
                                    new Target.Drop(),
                                    new Match.ConnectionState(Sense.IS, "INVALID")));
        }
        rules.add(acceptMarked());
        rules.add(acceptKnown());
        return chain(Table.FILTER, ChainNames.FORWARD, rules.toArray(Rule[]::new));
    }

    /// Lets packets pass that are marked for masquerading.
    public Rule acceptMarked() {
        return Rule.of(
                new Target.Accept(),
                new Match.Comment("kubernetes forwarding rules"),
                new Match.Marked(Sense.IS, node.masqueradeMark()));
    }

    /// Lets packets of known connections pass.
    ///
    /// @param more what else they must be
    public static Rule acceptKnown(Match... more) {
        List<Match> matches = new ArrayList<>();
        matches.add(new Match.Comment("kubernetes forwarding conntrack rule"));
        matches.add(new Match.ConnectionState(Sense.IS, "RELATED,ESTABLISHED"));
        matches.addAll(List.of(more));
        return new Rule(matches, new Target.Accept());
    }

    /// Packets for node ports that nothing translated.
    private Chain untranslated() {
        List<Rule> rules = new ArrayList<>();
        for (List<Match> address : nodePortAddresses()) {
            rules.add(Rule.of(new Target.Jump(ChainNames.UNTRANSLATED_NODE_PORTS)).under(address));
        }
        return chain(Table.FILTER, ChainNames.EXTERNAL_SERVICES, rules.toArray(Rule[]::new));
    }

    private static Chain firewall() {
        return chain(
                Table.FILTER,
                ChainNames.FIREWALL,
                Rule.of(
                        new Target.Drop(),
                        new Match.Source(Sense.IS_NOT, IPV4_LOOPBACK),
                        new Match.Destination(Sense.IS, IPV4_LOOPBACK),
                        new Match.Comment("block incoming localnet connections"),
                        new Match.ConnectionState(Sense.IS_NOT, "RELATED,ESTABLISHED,DNAT")));
    }

    /// One list of conditions for each kind of destination that answers on node ports. A rule
    /// cannot say two things about one destination, so a range that holds loopback is cut.
    public List<List<Match>> nodePortAddresses() {
        return nodePortAddresses(new Match.DestinationIsLocal(Sense.IS));
    }

    /// @param own says which addresses are the node's
    private List<List<Match>> nodePortAddresses(Match own) {
        List<List<Match>> all = new ArrayList<>();
        switch (node.nodePorts()) {
            case NodePortAddresses.All _ -> {
                if (loopbackAnswers()) {
                    return List.of(List.of(own));
                }
                all.add(List.of(new Match.Destination(Sense.IS_NOT, loopback()), own));
            }
            case NodePortAddresses.Within(var ranges) -> {
                for (Cidr range : withoutLoopback(ranges)) {
                    all.add(List.of(new Match.Destination(Sense.IS, range), own));
                }
                if (loopbackAnswers()) {
                    all.add(List.of(new Match.Destination(Sense.IS, IPV4_LOOPBACK), own));
                }
            }
        }
        return all;
    }

    private List<Cidr> withoutLoopback(Set<Cidr> ranges) {
        List<Cidr> kept = new ArrayList<>();
        for (Cidr range : ranges) {
            if (loopback().contains(range)) {
                continue;
            }
            if (range.contains(loopback())) {
                kept.addAll(halvesWithoutLoopback(range));
            } else {
                kept.add(range);
            }
        }
        return kept;
    }

    private List<Cidr> halvesWithoutLoopback(Cidr range) {
        int length = range.length() + 1;
        Cidr lower = new Cidr(range.base(), length);
        Cidr upper = new Cidr(range.last(), length);
        return withoutLoopback(new TreeSet<>(List.of(lower, upper)));
    }

    private Cidr loopback() {
        return switch (family) {
            case IPV4 -> IPV4_LOOPBACK;
            case IPV6 -> IPV6_LOOPBACK;
        };
    }

    private static Chain chain(Table table, String name, Rule... rules) {
        return Chain.of(table, name, List.of(rules), NODE);
    }

    private static Jump jump(Table table, String from, String to, Match... matches) {
        return new Jump(table, from, Rule.of(new Target.Jump(to), matches));
    }

    private static Jump onNew(String from, String to, String remark) {
        return jump(
                Table.FILTER,
                from,
                to,
                new Match.ConnectionState(Sense.IS, NEW),
                new Match.Comment(remark));
    }
}
