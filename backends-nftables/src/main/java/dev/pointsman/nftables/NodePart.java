package dev.pointsman.nftables;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.LocalDetector;
import dev.pointsman.graph.NodePortAddresses;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.Settings;
import dev.pointsman.netlink.NftExpression.Sense;
import dev.pointsman.netlink.NftHook;
import dev.pointsman.netlink.NftValue;
import java.util.ArrayList;
import java.util.List;

/// The rules that are the same however many Services there are. What the node's settings say is
/// written here and nowhere else, so that a change of them rewrites these chains and no element.
final class NodePart {
    static final String REFUSE = "refuse";
    static final String UNTOUCHED = "untouched";

    private static final String FILTER = "filter";
    private static final String NAT = "nat";
    private static final int BEFORE_TRANSLATION = -110;
    private static final int TRANSLATION = -100;
    private static final int SOURCE_TRANSLATION = 100;

    private final Family family;
    private final NodeRules.Programmed node;
    private final RemotePods remotePods;

    NodePart(Family family, NodeRules.Programmed node) {
        this.family = family;
        this.node = node;
        remotePods = new RemotePods(node);
    }

    List<Chain> chains() {
        return List.of(
                Chain.of(REFUSE, Rule.of(new Statement.Reject())),
                untouched(),
                firewall(),
                nodePortDispatch(),
                dispatch(),
                endpointsCheck(),
                nodePortEndpointsCheck(),
                clusterIpsCheck(),
                remotePods.chain(),
                hooked("firewall-prerouting", FILTER, NftHook.PREROUTING, BEFORE_TRANSLATION)
                        .jump("firewall"),
                hooked("firewall-output", FILTER, NftHook.OUTPUT, BEFORE_TRANSLATION)
                        .jump("firewall"),
                translation(
                        "nat-prerouting",
                        NftHook.PREROUTING,
                        remotePods.at(toNodePortAddress(new Statement.ToItsInterface()))),
                translation("nat-output", NftHook.OUTPUT, List.of()),
                hooked("filter-input", FILTER, NftHook.INPUT, 0)
                        .jump("endpoints-check", "node-port-endpoints-check"),
                filterForward(),
                hooked("filter-output", FILTER, NftHook.OUTPUT, 0)
                        .jump("endpoints-check", "cluster-ips-check"),
                postrouting());
    }

    /// What a packet must not be for the detector to call it a local pod's.
    List<Statement> notFromPods() {
        return switch (node.detector()) {
            case LocalDetector.None _ -> List.of();
            case LocalDetector.Range(var range) ->
                    List.of(new Statement.Within(Field.Packet.SOURCE, Sense.NOT_IN, range));
            case LocalDetector.Interface(String name) -> List.of(new Statement.NotThrough(name));
            case LocalDetector.InterfacePrefix(String prefix) ->
                    List.of(new Statement.NotThroughPrefix(prefix));
        };
    }

    Statement mark() {
        return new Statement.Mark(node.masqueradeMark());
    }

    /// Ends translation for packets that will be dropped, lest a node port take them; the node
    /// itself goes on to the short cut.
    private static Chain untouched() {
        return Chain.of(
                UNTOUCHED,
                Rule.of(new Statement.FromThisNode(), take(new NftValue.Return())),
                Rule.of(take(new NftValue.Accept())));
    }

    private static Chain firewall() {
        return Chain.of(
                "firewall",
                Rule.of(
                        new Statement.InSet(Key.FRONTEND, Sense.IN, Sets.RANGED.name()),
                        new Statement.InSet(
                                Sets.SOURCE_RANGES.key(), Sense.NOT_IN, Sets.SOURCE_RANGES.name()),
                        take(new NftValue.Drop())));
    }

    /// Node ports come last: an external IP that is the node's own wins (behaviour document, trap
    /// 6).
    ///
    /// @param ahead what is asked right before node ports
    private Chain translation(String name, int hook, List<Rule> ahead) {
        List<Rule> rules = new ArrayList<>();
        rules.add(Rule.of(jump("dispatch")));
        rules.addAll(ahead);
        for (List<Statement> condition : toNodePortAddress(new Statement.ToThisNode())) {
            rules.add(Rule.of(condition, take(new NftValue.Goto("node-port-dispatch"))));
        }
        return Chain.hooked(name, NAT, hook, TRANSLATION, rules.toArray(Rule[]::new));
    }

    private Chain dispatch() {
        return Chain.of(
                "dispatch",
                Rule.of(
                        notFromPods(),
                        new Statement.VerdictFrom(Key.FRONTEND, Sets.LOCAL_SERVICES.name())),
                Rule.of(new Statement.VerdictFrom(Key.FRONTEND, Sets.SERVICES.name())));
    }

    private Chain nodePortDispatch() {
        return Chain.of(
                "node-port-dispatch",
                Rule.of(
                        notFromPods(),
                        new Statement.VerdictFrom(Key.NODE_PORT, Sets.LOCAL_NODE_PORTS.name())),
                Rule.of(new Statement.VerdictFrom(Key.NODE_PORT, Sets.NODE_PORTS.name())));
    }

    private static Chain endpointsCheck() {
        return Chain.of(
                "endpoints-check",
                Rule.of(new Statement.VerdictFrom(Key.FRONTEND, Sets.NO_ENDPOINTS.name())));
    }

    private Chain nodePortEndpointsCheck() {
        return Chain.of(
                "node-port-endpoints-check",
                toNodePortAddress(new Statement.ToThisNode()).stream()
                        .map(
                                condition ->
                                        Rule.of(
                                                condition,
                                                new Statement.VerdictFrom(
                                                        Key.NODE_PORT,
                                                        Sets.NO_ENDPOINT_NODE_PORTS.name())))
                        .toList());
    }

    /// One list of conditions for each range: to an address of this node within it, never to
    /// loopback.
    ///
    /// @param own says which addresses are the node's
    private List<List<Statement>> toNodePortAddress(Statement own) {
        Cidr loopback = loopback();
        Statement notLoopback =
                new Statement.Within(Field.Packet.DESTINATION, Sense.NOT_IN, loopback);
        return switch (node.nodePorts()) {
            case NodePortAddresses.All _ -> List.of(List.of(notLoopback, own));
            case NodePortAddresses.Within(var ranges) -> {
                List<List<Statement>> conditions = new ArrayList<>();
                for (Cidr range : ranges) {
                    if (loopback.contains(range)) {
                        continue;
                    }
                    List<Statement> condition = new ArrayList<>();
                    condition.add(new Statement.Within(Field.Packet.DESTINATION, Sense.IN, range));
                    if (range.contains(loopback)) {
                        condition.add(notLoopback);
                    }
                    condition.add(own);
                    conditions.add(condition);
                }
                yield conditions;
            }
        };
    }

    private Cidr loopback() {
        return switch (family) {
            case IPV4 -> Cidr.parse("127.0.0.0/8");
            case IPV6 -> Cidr.of(new IpAddress.Ipv6(0, 1));
        };
    }

    /// Packets for a cluster IP that nothing translated, after every proxy on the node had the
    /// chance to (behaviour document 2.4).
    private Chain clusterIpsCheck() {
        List<Rule> rules = new ArrayList<>();
        switch (node.clusterIpGuard()) {
            case Settings.ClusterIpGuard.OFF -> {}
            case Settings.ClusterIpGuard.ON -> {
                rules.add(
                        Rule.of(
                                new Statement.InSet(
                                        Key.DESTINATION, Sense.IN, Sets.CLUSTER_IPS.name()),
                                new Statement.Reject()));
                for (Cidr range : node.serviceRanges()) {
                    rules.add(
                            Rule.of(
                                    new Statement.Within(Field.Packet.DESTINATION, Sense.IN, range),
                                    take(new NftValue.Drop())));
                }
            }
        }
        return Chain.of("cluster-ips-check", rules);
    }

    private Chain filterForward() {
        List<Rule> rules = new ArrayList<>();
        rules.add(onNew("endpoints-check"));
        rules.add(onNew("cluster-ips-check"));
        rules.addAll(remotePods.forwarded());
        return Chain.hooked(
                "filter-forward", FILTER, NftHook.FORWARD, 0, rules.toArray(Rule[]::new));
    }

    private Chain postrouting() {
        return Chain.hooked(
                "nat-postrouting",
                NAT,
                NftHook.POSTROUTING,
                SOURCE_TRANSLATION,
                Rule.of(
                        new Statement.Marked(node.masqueradeMark()),
                        // A tunnel sends the packet through here again, still marked.
                        new Statement.Unmark(node.masqueradeMark()),
                        new Statement.Masquerade()),
                Rule.of(
                        new Statement.Translated(),
                        new Statement.InSet(Key.BOTH_ENDS, Sense.IN, Sets.HAIRPIN.name()),
                        new Statement.Masquerade()));
    }

    /// A base chain to be filled.
    private record Hooked(String name, String type, int hook, int priority) {
        Chain jump(String... targets) {
            Rule[] rules = new Rule[targets.length];
            for (int i = 0; i < targets.length; i++) {
                rules[i] = onNew(targets[i]);
            }
            return Chain.hooked(name, type, hook, priority, rules);
        }
    }

    private static Hooked hooked(String name, String type, int hook, int priority) {
        return new Hooked(name, type, hook, priority);
    }

    private static Rule onNew(String target) {
        return Rule.of(new Statement.NewConnection(), jump(target));
    }

    private static Statement jump(String target) {
        return take(new NftValue.Jump(target));
    }

    private static Statement take(NftValue.Verdict verdict) {
        return new Statement.Take(verdict);
    }
}
