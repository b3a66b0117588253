package dev.pointsman.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Graphs;
import dev.pointsman.graph.RuleGraph;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class RendererLaws {
    @Provide
    Arbitrary<RuleGraph> graphs() {
        return Graphs.graphs(Family.IPV4);
    }

    @Provide
    Arbitrary<RuleGraph> graphs6() {
        return Graphs.graphs(Family.IPV6);
    }

    @Provide
    Arbitrary<Graphs.Transition> transitions() {
        return Graphs.transitions(Family.IPV4);
    }

    @Property(tries = 150)
    void a_change_leads_to_what_a_whole_load_gives(
            @ForAll("graphs") RuleGraph before, @ForAll("graphs") RuleGraph after) {
        check(before, Delta.between(before, after), after);
    }

    @Property(tries = 60)
    void a_change_in_ipv6_leads_to_what_a_whole_load_gives(
            @ForAll("graphs6") RuleGraph before, @ForAll("graphs6") RuleGraph after) {
        check(before, Delta.between(before, after), after);
    }

    @Property(tries = 300)
    void a_planned_change_leads_to_what_a_whole_load_gives(
            @ForAll("transitions") Graphs.Transition transition) {
        check(transition.before(), transition.delta(), transition.after());
    }

    @Property(tries = 60)
    void removal_leaves_nothing(@ForAll("graphs") RuleGraph graph) {
        InMemoryNode node = loaded(graph);
        RuleGraph nothing = RuleGraph.nothing(Family.IPV4);
        node.run(Renderer.render(graph, Delta.between(graph, nothing)).text());
        assertThat(node.text()).isEmpty();
    }

    private static void check(RuleGraph before, Delta delta, RuleGraph after) {
        InMemoryNode node = loaded(before);
        node.run(Renderer.render(before, delta).text());
        assertThat(node.guarded()).isEqualTo(node.bound());
        InMemoryNode wanted = loaded(after);
        node.quiet(wanted);
        assertThat(node.text()).isEqualTo(wanted.text());
    }

    private static InMemoryNode loaded(RuleGraph graph) {
        RuleGraph nothing = RuleGraph.nothing(graph.family());
        InMemoryNode node = new InMemoryNode();
        node.run(Renderer.render(nothing, Delta.between(nothing, graph)).text());
        return node;
    }
}
