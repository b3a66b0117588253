package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Graphs;
import dev.pointsman.graph.RuleGraph;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
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

    @Provide
    Arbitrary<List<RuleGraph>> histories() {
        return Graphs.graphs(Family.IPV4).list().ofMinSize(1).ofMaxSize(6);
    }

    @Provide
    Arbitrary<List<Integer>> failures() {
        return Arbitraries.integers().between(0, 200).list().ofSize(6);
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

    @Property(tries = 150)
    void a_planned_change_leads_to_what_a_whole_load_gives(
            @ForAll("transitions") Graphs.Transition transition) {
        check(transition.before(), transition.delta(), transition.after());
    }

    private static void check(RuleGraph before, Delta delta, RuleGraph after) {
        InMemoryIptables kernel = loaded(before);
        apply(kernel, Renderer.render(before, delta, Capabilities.USUAL));
        assertThat(kernel.chains()).isEqualTo(loaded(after).chains());
        assertThat(repair(kernel, after).size().isEmpty()).isTrue();
    }

    @Property(tries = 100)
    void repair_makes_of_any_content_what_is_desired(
            @ForAll("graphs") RuleGraph held, @ForAll("graphs") RuleGraph desired) {
        InMemoryIptables kernel = loaded(held);
        apply(kernel, repair(kernel, desired));
        assertThat(kernel.chains()).isEqualTo(loaded(desired).chains());
    }

    @Property(tries = 100)
    void whatever_fails_on_the_way_the_end_is_that_of_a_whole_load(
            @ForAll("histories") List<RuleGraph> history,
            @ForAll("failures") List<Integer> failures) {
        InMemoryIptables kernel = new InMemoryIptables();
        RuleGraph held = RuleGraph.nothing(Family.IPV4);
        for (int i = 0; i < history.size(); i++) {
            RuleGraph next = history.get(i);
            IptablesTransaction change =
                    Renderer.render(held, Delta.between(held, next), Capabilities.USUAL);
            if (!isApplied(kernel, change, failures.get(i))) {
                apply(kernel, repair(kernel, next));
            }
            held = next;
        }
        assertThat(kernel.chains()).isEqualTo(loaded(held).chains());
    }

    @Property(tries = 60)
    void removal_leaves_nothing_but_the_firewall_chain(@ForAll("graphs") RuleGraph graph) {
        InMemoryIptables kernel = loaded(graph);
        RuleGraph nothing = RuleGraph.nothing(Family.IPV4);
        apply(kernel, Renderer.render(graph, Delta.between(graph, nothing), Capabilities.USUAL));
        Map<String, List<String>> left = kernel.chains();
        left.values().removeIf(List::isEmpty);
        left.keySet().removeIf(chain -> chain.endsWith(" KUBE-FIREWALL"));
        assertThat(left).isEmpty();
    }

    private static IptablesTransaction repair(InMemoryIptables kernel, RuleGraph desired) {
        return Renderer.repair(SavedRules.read(kernel.save()), desired, Capabilities.USUAL);
    }

    private static InMemoryIptables loaded(RuleGraph graph) {
        RuleGraph nothing = RuleGraph.nothing(graph.family());
        InMemoryIptables kernel = new InMemoryIptables();
        apply(kernel, Renderer.render(nothing, Delta.between(nothing, graph), Capabilities.USUAL));
        return kernel;
    }

    private static void apply(InMemoryIptables kernel, IptablesTransaction transaction) {
        for (Restore restore : transaction.restores()) {
            kernel.restore(text(transaction.target(), restore), 0);
        }
    }

    /// @param failing which line fails, of those of each restore
    private static boolean isApplied(
            InMemoryIptables kernel, IptablesTransaction transaction, int failing) {
        try {
            for (Restore restore : transaction.restores()) {
                kernel.restore(text(transaction.target(), restore), failing);
            }
            return true;
        } catch (InMemoryIptables.RefusedException _) {
            return false;
        }
    }

    private static String text(RuleGraph target, Restore restore) {
        return new IptablesTransaction(target, List.of(restore)).text();
    }
}
