package dev.pointsman.iptables;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.iptables.Match.Sense;
import java.util.ArrayList;
import java.util.List;

/// The rules for pods of other nodes that a detector by address takes for this node's.
public final class RemotePods {
    private static final Subject NODE = new Subject.Node();

    private final NodeRules.Programmed node;
    private final Target masquerade;

    RemotePods(NodeRules.Programmed node, Target masquerade) {
        this.node = node;
        this.masquerade = masquerade;
    }

    /// Whether the detector may take some for this node's.
    public boolean areLikely() {
        return node.sharedPods().isPresent();
    }

    /// Leads those to KUBE-REMOTE-NODEPORTS whose packets came in where the address is that they
    /// dialled; there they are served like any client outside. Packets of this node's pods come in
    /// by interfaces that have none of its addresses; so those keep the short cut whose addresses
    /// are in none of the Node's ranges (`docs/adr/0021-remote-pods-at-node-ports.md`).
    ///
    /// @param addresses conditions of which a packet meets one
    List<Rule> toNodePorts(List<List<Match>> addresses) {
        List<Rule> rules = new ArrayList<>();
        for (List<Match> address : addresses) {
            node.sharedPods()
                    .ifPresent(
                            pods ->
                                    rules.add(
                                            Rule.of(
                                                            new Target.Jump(
                                                                    ChainNames.REMOTE_NODE_PORTS),
                                                            new Match.Comment(
                                                                    "pods of other nodes at"
                                                                            + " nodeports of this"
                                                                            + " one"))
                                                    .under(address)
                                                    .under(
                                                            List.of(
                                                                    new Match.Source(
                                                                            Sense.IS, pods)))));
        }
        return rules;
    }

    /// The first rules of KUBE-REMOTE-NODEPORTS: this node's pods leave it, and so do packets for a
    /// Service that has the node's own address.
    List<Rule> exempted(RuleGraph graph) {
        List<Rule> rules = new ArrayList<>(ownPods());
        for (IpAddress address : node.addresses()) {
            for (Frontend frontend : graph.frontendsAt(address).keySet()) {
                rules.add(
                        Rule.of(new Target.Return())
                                .under(
                                        FrontendPart.matches(
                                                frontend, "a Service has this address")));
            }
        }
        return rules;
    }

    /// Whether [#exempted] has a rule for it.
    boolean exempt(Frontend frontend) {
        return frontend instanceof Frontend.Address(var address, _, _)
                && node.addresses().contains(address);
    }

    /// Lets this node's pods leave a chain.
    public List<Rule> ownPods() {
        return node.ownPods().stream()
                .map(own -> Rule.of(new Target.Return(), new Match.Source(Sense.IS, own)))
                .toList();
    }

    /// Leads to KUBE-REMOTE-PODS, where it can be told which pods are this node's.
    public List<Rule> toMasquerade() {
        return node.sharedPods()
                .filter(_ -> !node.ownPods().isEmpty())
                .map(
                        pods ->
                                List.of(
                                        Rule.of(
                                                new Target.Jump(ChainNames.REMOTE_PODS),
                                                new Match.Source(Sense.IS, pods))))
                .orElse(List.of());
    }

    /// One that took the short cut at an address under external policy Local keeps its source
    /// address. If its endpoint is not on this node, the reply would not come back through here and
    /// be lost (behaviour document 11): only then is it masqueraded after all. A cluster IP is
    /// never dialled here by a pod whose own node has a proxy.
    List<Chain> chains() {
        if (toMasquerade().isEmpty()) {
            return List.of();
        }
        List<Rule> rules = new ArrayList<>();
        for (Cidr own : node.ownPods()) {
            rules.add(Rule.of(new Target.Return(), new Match.Source(Sense.IS, own)));
            rules.add(Rule.of(new Target.Return(), new Match.Destination(Sense.IS, own)));
        }
        for (Cidr range : node.serviceRanges()) {
            rules.add(Rule.of(new Target.Return(), new Match.OriginalDestination(range)));
        }
        rules.add(Rule.of(masquerade));
        return List.of(Chain.of(Table.NAT, ChainNames.REMOTE_PODS, rules, NODE));
    }
}
