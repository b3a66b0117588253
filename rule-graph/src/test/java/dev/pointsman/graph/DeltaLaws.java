package dev.pointsman.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class DeltaLaws {

    @Provide
    Arbitrary<RuleGraph> graphs() {
        return Graphs.graphs(Family.IPV4);
    }

    @Provide
    Arbitrary<Graphs.Transition> transitions() {
        return Graphs.transitions(Family.IPV6);
    }

    @Property(tries = 200)
    void a_delta_reaches_its_target(
            @ForAll("graphs") RuleGraph before, @ForAll("graphs") RuleGraph after) {
        assertThat(Delta.between(before, after).applyTo(before)).isEqualTo(after);
        assertThat(Delta.between(after, before).applyTo(after)).isEqualTo(before);
    }

    @Property(tries = 200)
    void a_delta_keeps_the_indices(
            @ForAll("graphs") RuleGraph before, @ForAll("graphs") RuleGraph after) {
        RuleGraph reached = Delta.between(before, after).applyTo(before);
        assertThat(reached.shapes()).isEqualTo(after.shapes());
        assertThat(reached.localEndpoints()).isEqualTo(after.localEndpoints());
        assertThat(reached.restricted()).isEqualTo(after.restricted());
        assertThat(reached.forked()).isEqualTo(after.forked());
        reached.frontends()
                .forEach(
                        (frontend, treatment) -> {
                            assertThat(reached.frontendsOf(treatment.owner()))
                                    .contains(frontend)
                                    .isEqualTo(after.frontendsOf(treatment.owner()));
                            assertThat(reached.restricted().containsKey(frontend))
                                    .isNotEqualTo(treatment.isOpen());
                            assertThat(reached.forked().containsKey(frontend))
                                    .isEqualTo(treatment.isForked());
                        });
    }

    @Property(tries = 100)
    void equal_graphs_differ_by_nothing(@ForAll("transitions") Graphs.Transition transition) {
        RuleGraph after = transition.after();
        assertThat(Delta.between(after, after).isEmpty()).isTrue();
        assertThat(transition.delta().isEmpty()).isEqualTo(transition.before().equals(after));
    }

    @Property(tries = 100)
    void an_unprogrammed_node_is_reached_from_any_graph(@ForAll("graphs") RuleGraph graph) {
        RuleGraph nothing = RuleGraph.nothing(Family.IPV4);
        RuleGraph reached = Delta.between(graph, nothing).applyTo(graph);
        assertThat(reached).isEqualTo(nothing);
        assertThat(reached.shapes()).isEmpty();
        assertThat(reached.localEndpoints()).isEmpty();
    }

    @Example
    void there_is_no_delta_between_families() {
        assertThatThrownBy(
                        () ->
                                Delta.between(
                                        RuleGraph.nothing(Family.IPV4),
                                        RuleGraph.nothing(Family.IPV6)))
                .hasMessage("no delta from IPv4 to IPv6");
    }
}
