package dev.pointsman.nftables;

import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.Treatment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Turns changes of a graph into batches.
final class Renderer {
    private static final Subject NODE = new Subject.Node();
    private static final ServiceName API_SERVER = new ServiceName("default", "kubernetes");
    private static final int DNS = 53;

    private Renderer() {}

    static NftablesTransaction render(RuleGraph from, Delta delta) {
        RuleGraph to = delta.applyTo(from);
        return switch (from.node()) {
            case NodeRules.None _ ->
                    switch (to.node()) {
                        case NodeRules.None _ -> new NftablesTransaction(to, List.of());
                        case NodeRules.Programmed _ -> load(to);
                    };
            case NodeRules.Programmed before ->
                    switch (to.node()) {
                        case NodeRules.None _ -> removal(to);
                        case NodeRules.Programmed after ->
                                new NftablesTransaction(
                                        to,
                                        Difference.between(
                                                Compiler.touched(from, before, to, delta),
                                                Compiler.touched(to, after, from, delta)));
                    };
        };
    }

    /// A new table. What a node needs to come up is there at once, completely; the rest follows.
    static NftablesTransaction load(RuleGraph target) {
        RuleGraph urgent = urgent(target);
        Contents first = Compiler.all(urgent);
        List<Operation> operations = new ArrayList<>();
        operations.add(new Operation.AddTable(NODE));
        operations.addAll(Difference.whole(first));
        List<Batch> batches = new ArrayList<>();
        batches.add(new Batch(Batch.Start.AT_ONCE, operations));
        batches.addAll(Difference.between(first, Compiler.all(target)));
        return new NftablesTransaction(target, batches);
    }

    static NftablesTransaction removal(RuleGraph target) {
        return new NftablesTransaction(
                target,
                List.of(new Batch(Batch.Start.AT_ONCE, List.of(new Operation.DeleteTable(NODE)))));
    }

    /// The API server and DNS, without which nothing else on the node gets anywhere.
    private static RuleGraph urgent(RuleGraph graph) {
        Set<ServicePortName> owners = new HashSet<>();
        for (Map.Entry<Frontend, Treatment> entry : graph.frontends().entrySet()) {
            ServicePortName owner = entry.getValue().owner();
            if (owner.service().equals(API_SERVER) || entry.getKey().port() == DNS) {
                owners.add(owner);
            }
        }
        RuleGraph urgent = RuleGraph.empty(graph.family(), graph.node());
        for (Map.Entry<Frontend, Treatment> entry : graph.frontends().entrySet()) {
            if (owners.contains(entry.getValue().owner())) {
                urgent = urgent.with(entry.getKey(), entry.getValue());
            }
        }
        return urgent;
    }
}
