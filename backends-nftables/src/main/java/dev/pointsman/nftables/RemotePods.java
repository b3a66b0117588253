package dev.pointsman.nftables;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.Protocol;
import dev.pointsman.netlink.NftExpression.Sense;
import dev.pointsman.netlink.NftValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The rules for pods of other nodes that a detector by address takes for this node's.
final class RemotePods {
    private static final String CHAIN = "remote-pods";

    private final NodeRules.Programmed node;

    RemotePods(NodeRules.Programmed node) {
        this.node = node;
    }

    /// One whose packet came in where the address is that it dialled is served at node ports like
    /// any client outside. Packets of this node's pods come in by interfaces that have none of its
    /// addresses; so those keep the short cut whose addresses are in none of the Node's ranges
    /// (`docs/adr/0021-remote-pods-at-node-ports.md`).
    ///
    /// @param nodePortAddresses conditions of which a packet meets one
    List<Rule> at(List<List<Statement>> nodePortAddresses) {
        return nodePortAddresses.stream()
                .flatMap(address -> sender().stream().map(remote -> both(remote, address)))
                .map(
                        conditions ->
                                Rule.of(
                                        conditions,
                                        new Statement.VerdictFrom(
                                                Key.NODE_PORT, Sets.LOCAL_NODE_PORTS.name())))
                .toList();
    }

    /// What leads forwarded packets to [#chain], where it can be told which pods are this node's.
    List<Rule> forwarded() {
        if (node.ownPods().isEmpty()) {
            return List.of();
        }
        List<Statement> sentOn = List.of(new Statement.NewConnection(), new Statement.Translated());
        return sender().stream()
                .map(
                        remote ->
                                Rule.of(
                                        both(sentOn, remote),
                                        new Statement.Take(new NftValue.Jump(CHAIN))))
                .toList();
    }

    /// One that took the short cut at an address under external policy Local keeps its source
    /// address. If its endpoint is on a third node, or is itself, the reply would not come back
    /// through here and be lost (behaviour document 11): only then is it masqueraded after all. At
    /// node ports that happens where the address dialled is on another interface, as on loopback.
    ///
    /// nft reads `ct original proto-dst` in a key only behind a match of one protocol.
    Chain chain() {
        List<Rule> rules = new ArrayList<>();
        if (!forwarded().isEmpty()) {
            Statement mark = new Statement.Mark(node.masqueradeMark());
            rules.add(
                    Rule.of(
                            new Statement.InSet(
                                    Key.DESTINATION, Sense.IN, Sets.LOCAL_ENDPOINTS.name()),
                            new Statement.Take(new NftValue.Return())));
            for (Protocol protocol : Protocol.values()) {
                rules.add(
                        Rule.of(
                                new Statement.ProtocolIs(protocol),
                                new Statement.InSet(
                                        Key.ORIGINAL_FRONTEND, Sense.IN, Sets.SHORT_CIRCUIT.name()),
                                mark));
                // A cluster IP may have a port with the number of some node port.
                rules.add(
                        Rule.of(
                                new Statement.ProtocolIs(protocol),
                                new Statement.InSet(
                                        Key.ORIGINAL_DESTINATION,
                                        Sense.NOT_IN,
                                        Sets.CLUSTER_IPS.name()),
                                new Statement.InSet(
                                        Key.ORIGINAL_NODE_PORT,
                                        Sense.IN,
                                        Sets.SHORT_CIRCUIT_NODE_PORTS.name()),
                                mark));
            }
        }
        return Chain.of(CHAIN, rules);
    }

    /// What tells that one of them may have sent a packet; empty when the detector recognises this
    /// node's pods alone.
    private Optional<List<Statement>> sender() {
        return node.sharedPods()
                .map(
                        pods ->
                                both(
                                        List.of(source(Sense.IN, pods)),
                                        node.ownPods().stream()
                                                .map(own -> source(Sense.NOT_IN, own))
                                                .toList()));
    }

    private static List<Statement> both(List<Statement> some, List<Statement> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private static Statement source(Sense sense, Cidr range) {
        return new Statement.Within(Field.Packet.SOURCE, sense, range);
    }
}
