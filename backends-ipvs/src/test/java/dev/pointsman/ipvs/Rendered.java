package dev.pointsman.ipvs;

import dev.pointsman.graph.Delta;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.read.NodeScriptReader;

/// What this backend writes for a graph, as the packet model sees it.
final class Rendered {
    private Rendered() {}

    static String text(RuleGraph graph) {
        RuleGraph nothing = RuleGraph.nothing(graph.family());
        return Renderer.render(nothing, Delta.between(nothing, graph)).text();
    }

    static Ruleset rules(RuleGraph graph) {
        return NodeScriptReader.read(text(graph), graph.family()).ruleset();
    }
}
