package dev.pointsman.iptables;

import dev.pointsman.graph.Change;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.Treatment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Turns a graph, or the part of it that a change touches, into chains.
final class Compiler {
    private static final Subject NODE = new Subject.Node();

    /// One tree of chains: which Frontends are in it, in which table, and what stands for each.
    private enum Tree {
        TRANSLATED_NODE_PORTS(
                Table.NAT, Block.Form.NODE_PORT, ChainNames.NODE_PORTS, ChainNames.PORT_BLOCK),
        TRANSLATED(Table.NAT, Block.Form.ADDRESS, ChainNames.SERVICES, ChainNames.ADDRESS_BLOCK),
        /// Of pods of other nodes, where they are not led as those of this node are.
        REMOTE_NODE_PORTS(
                Table.NAT,
                Block.Form.NODE_PORT,
                ChainNames.REMOTE_NODE_PORTS,
                ChainNames.REMOTE_PORT_BLOCK),
        /// The guard of cluster IPs.
        CLUSTER_IPS(
                Table.FILTER,
                Block.Form.ADDRESS,
                ChainNames.CLUSTER_IPS,
                ChainNames.CLUSTER_IP_BLOCK),
        UNTRANSLATED_NODE_PORTS(
                Table.FILTER,
                Block.Form.NODE_PORT,
                ChainNames.UNTRANSLATED_NODE_PORTS,
                ChainNames.PORT_BLOCK),
        UNTRANSLATED(
                Table.FILTER, Block.Form.ADDRESS, ChainNames.SERVICES, ChainNames.ADDRESS_BLOCK);

        private final Table table;
        private final Block.Form form;
        private final String root;
        private final String blockPrefix;

        Tree(Table table, Block.Form form, String root, String blockPrefix) {
            this.table = table;
            this.form = form;
            this.root = root;
            this.blockPrefix = blockPrefix;
        }

        /// The root keeps its name, whatever it holds.
        String chainName(Block block) {
            return block.digits().isEmpty() ? root : block.chainName(blockPrefix);
        }

        Dispatch of(RuleGraph graph) {
            return new Dispatch(
                    Block.everything(form, graph.family()),
                    switch (this) {
                        case TRANSLATED, TRANSLATED_NODE_PORTS, CLUSTER_IPS -> graph.frontends();
                        case UNTRANSLATED, UNTRANSLATED_NODE_PORTS -> graph.restricted();
                        case REMOTE_NODE_PORTS -> graph.forked();
                    });
        }
    }

    private final RuleGraph graph;
    private final NodePart node;
    private final Contents out = new Contents();

    private Compiler(RuleGraph graph, NodeRules.Programmed rules, Capabilities capabilities) {
        this.graph = graph;
        node = new NodePart(graph.family(), rules, capabilities);
    }

    /// Everything. Nothing when nothing is programmed.
    static Contents all(RuleGraph graph, Capabilities capabilities) {
        if (!(graph.node() instanceof NodeRules.Programmed rules)) {
            return new Contents();
        }
        Compiler compiler = new Compiler(graph, rules, capabilities);
        compiler.node.first().forEach(compiler.out::add);
        compiler.node.jumps().forEach(compiler.out::add);
        compiler.out.add(compiler.node.keptSources(graph.localEndpoints()));
        compiler.out.add(compiler.node.healthChecks(graph.healthChecks()));
        SortedSet<ServicePortName> owners = new TreeSet<>();
        graph.frontends().values().forEach(treatment -> owners.add(treatment.owner()));
        owners.forEach(compiler::port);
        for (Tree tree : compiler.trees()) {
            Dispatch.walk(tree.of(graph).root(), block -> compiler.block(tree, block));
        }
        compiler.node.last().forEach(compiler.out::add);
        return compiler.out;
    }

    /// What `graph` has of all that `delta`, which leads from or to it and leaves the node's rules
    /// as they are, touches.
    ///
    /// @param other the graph at the delta's other end
    static Contents touched(
            RuleGraph graph,
            NodeRules.Programmed rules,
            Capabilities capabilities,
            RuleGraph other,
            Delta delta) {
        Compiler compiler = new Compiler(graph, rules, capabilities);
        SortedSet<ServicePortName> owners = new TreeSet<>();
        delta.frontends()
                .values()
                .forEach(change -> treatments(change).forEach(t -> owners.add(t.owner())));
        owners.forEach(compiler::port);
        if (compiler.localEndpointsDiffer(other, delta)) {
            compiler.out.add(compiler.node.keptSources(graph.localEndpoints()));
        }
        if (!delta.healthChecks().isEmpty()) {
            compiler.out.add(compiler.node.healthChecks(graph.healthChecks()));
        }
        for (Tree tree : compiler.trees()) {
            Dispatch here = tree.of(graph);
            Dispatch there = tree.of(other);
            for (Frontend frontend : delta.frontends().keySet()) {
                if (Block.everything(tree.form, graph.family()).contains(frontend)) {
                    here.near(frontend, there, block -> compiler.block(tree, block));
                }
                if (tree == Tree.REMOTE_NODE_PORTS && compiler.node.remotePods().exempt(frontend)) {
                    compiler.block(tree, here.root());
                }
            }
        }
        return compiler.out;
    }

    private static List<Treatment> treatments(Change<Treatment> change) {
        return switch (change) {
            case Change.Added<Treatment>(var after) -> List.of(after);
            case Change.Removed<Treatment>(var before) -> List.of(before);
            case Change.Replaced<Treatment>(var before, var after) -> List.of(before, after);
        };
    }

    private boolean localEndpointsDiffer(RuleGraph other, Delta delta) {
        Set<IpAddress> addresses = new HashSet<>();
        delta.frontends()
                .values()
                .forEach(
                        change ->
                                treatments(change).stream()
                                        .flatMap(treatment -> treatment.pools().stream())
                                        .map(Pool::endpoints)
                                        .forEach(
                                                all ->
                                                        all.forEach(
                                                                e -> addresses.add(e.address()))));
        return addresses.stream()
                .anyMatch(a -> graph.hasLocalEndpoint(a) != other.hasLocalEndpoint(a));
    }

    private void port(ServicePortName owner) {
        new PortPart(graph, node, owner).write(out::add);
    }

    private List<Tree> trees() {
        return Arrays.stream(Tree.values())
                .filter(
                        tree ->
                                switch (tree) {
                                    case CLUSTER_IPS -> node.guardsClusterIps();
                                    case REMOTE_NODE_PORTS -> node.remotePods().areLikely();
                                    case TRANSLATED,
                                            TRANSLATED_NODE_PORTS,
                                            UNTRANSLATED,
                                            UNTRANSLATED_NODE_PORTS ->
                                            true;
                                })
                .toList();
    }

    /// The chain of one block of a tree.
    private void block(Tree tree, Dispatch.Node block) {
        List<Rule> rules = new ArrayList<>();
        boolean root = block.block().digits().isEmpty();
        if (root && tree == Tree.REMOTE_NODE_PORTS) {
            rules.addAll(node.remotePods().exempted(graph));
        }
        if (block.isLeaf()) {
            block.content()
                    .forEach((frontend, treatment) -> leaf(tree, frontend, treatment, rules));
        } else {
            for (Dispatch.Node part : block.parts()) {
                rules.add(
                        new Rule(
                                part.block().matches(),
                                new Target.Jump(tree.chainName(part.block()))));
            }
        }
        if (root) {
            rules.addAll(
                    switch (tree) {
                        case TRANSLATED -> node.toNodePorts();
                        case UNTRANSLATED -> node.toGuard();
                        case CLUSTER_IPS -> node.unallocated();
                        case TRANSLATED_NODE_PORTS, UNTRANSLATED_NODE_PORTS, REMOTE_NODE_PORTS ->
                                List.of();
                    });
        }
        out.add(Chain.of(tree.table, tree.chainName(block.block()), rules, subject(block)));
    }

    private void leaf(Tree tree, Frontend frontend, Treatment treatment, List<Rule> rules) {
        FrontendPart part = new FrontendPart(graph.family(), frontend, treatment);
        rules.addAll(
                switch (tree) {
                    case TRANSLATED, TRANSLATED_NODE_PORTS -> part.translation();
                    case UNTRANSLATED, UNTRANSLATED_NODE_PORTS -> part.verdicts();
                    case REMOTE_NODE_PORTS -> part.translationFromOutside();
                    case CLUSTER_IPS ->
                            part.guard().stream().filter(rule -> !rules.contains(rule)).toList();
                });
    }

    /// A block that holds one Service only is that Service's.
    private static Subject subject(Dispatch.Node block) {
        Set<Subject> subjects = new LinkedHashSet<>();
        for (Treatment treatment : block.content().values()) {
            subjects.add(new Subject.Service(treatment.owner().service()));
            if (subjects.size() > 1) {
                return NODE;
            }
        }
        return subjects.stream().findFirst().orElse(NODE);
    }
}
