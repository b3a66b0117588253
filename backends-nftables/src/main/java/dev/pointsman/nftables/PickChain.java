package dev.pointsman.nftables;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Shape;
import dev.pointsman.netlink.NftValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A chain that sends packets to one of the endpoints of their Frontend, shared by all Frontends
/// with a pool of this size that are handled alike. There are as many as sizes in use, however many
/// Services there are.
record PickChain(Shape.Form form, Routing.Pick pick, int size) {

    /// The chains that Frontends of this shape need; none if they have client affinity, for then
    /// their ServicePort has chains of its own.
    static Stream<PickChain> of(Shape shape) {
        return switch (shape.affinity()) {
            case Affinity.ClientIp _ -> Stream.of();
            case Affinity.None _ ->
                    switch (Routing.of(shape)) {
                        case Routing.Refused _, Routing.Dropped _ -> Stream.of();
                        case Routing.Balanced(var pick, _, int size) ->
                                Stream.of(new PickChain(shape.form(), pick, size));
                        case Routing.ShortCircuit(int size, int localSize) -> {
                            PickChain cluster =
                                    new PickChain(
                                            shape.form(), Routing.Pick.SHORT_CIRCUIT_PICK, size);
                            yield localSize == 0
                                    ? Stream.of(cluster)
                                    : Stream.of(
                                            cluster,
                                            new PickChain(
                                                    shape.form(),
                                                    Routing.Pick.LOCAL_PICK,
                                                    localSize));
                        }
                    };
        };
    }

    String name() {
        return tables().prefix() + pick.prefix() + "-" + size;
    }

    Chain chain(NodePart node) {
        int firstSlot =
                switch (pick) {
                    case LOCAL_PICK -> Sets.SECOND_POOL;
                    case PICK, MASQUERADE_PICK, POD_AWARE_PICK, SHORT_CIRCUIT_PICK -> 0;
                };
        List<Rule> rules = new ArrayList<>(head(pick, node));
        rules.add(
                Rule.of(
                        new Statement.DnatFrom(
                                tables().key().and(new Field.Slot(size, firstSlot)),
                                tables().endpoints().name())));
        return Chain.of(name(), rules);
    }

    /// What precedes the choice of an endpoint.
    static List<Rule> head(Routing.Pick pick, NodePart node) {
        return switch (pick) {
            case PICK -> List.of();
            case MASQUERADE_PICK -> List.of(Rule.of(node.mark()));
            case POD_AWARE_PICK -> List.of(Rule.of(node.notFromPods(), node.mark()));
            case SHORT_CIRCUIT_PICK -> List.of(Rule.of(new Statement.FromThisNode(), node.mark()));
            case LOCAL_PICK ->
                    List.of(
                            Rule.of(
                                    new Statement.FromThisNode(),
                                    new Statement.Take(new NftValue.Return())));
        };
    }

    private Sets.Tables tables() {
        return Sets.Tables.of(form);
    }
}
