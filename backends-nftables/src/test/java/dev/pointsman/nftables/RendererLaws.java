package dev.pointsman.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.graph.Change;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Treatment;
import dev.pointsman.netlink.NftValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class RendererLaws {
    @Property(tries = 600)
    void a_change_leads_from_one_compiled_graph_to_the_other(
            @ForAll Family family, @ForAll Random random) {
        RuleGraph from = graph(family, random);
        RuleGraph to = graph(family, random);
        InMemoryNft nft = holding(from);
        nft.apply(Renderer.render(from, Delta.between(from, to)));
        assertThat(nft).isEqualTo(InMemoryNft.of(Compiler.all(to)));
    }

    @Property(tries = 300)
    void the_planners_own_deltas_do_the_same_with_slots_kept(
            @ForAll Family family, @ForAll Random random) {
        RandomCluster cluster = new RandomCluster(family, random);
        Planner planner = new Planner(family, cluster.node(), cluster.settings());
        InMemoryNft nft = new InMemoryNft();
        for (int step = 0; step < 5; step++) {
            RuleGraph from = planner.graph();
            List<ServiceState> states = cluster.services();
            Delta delta =
                    step == 3
                            ? planner.replan(cluster.node(), cluster.settings(), states)
                            : planner.plan(states.subList(0, 1 + random.nextInt(states.size())));
            nft.apply(Renderer.render(from, delta));
            assertThat(nft).isEqualTo(InMemoryNft.of(Compiler.all(planner.graph())));
        }
    }

    @Property(tries = 300)
    void any_split_of_a_change_leads_there(@ForAll Family family, @ForAll Random random) {
        RuleGraph from = graph(family, random);
        RuleGraph to = graph(family, random);
        InMemoryNft nft = holding(from);
        RuleGraph now = from;
        for (Delta part : split(Delta.between(from, to), random)) {
            NftablesTransaction transaction = Renderer.render(now, part);
            nft.apply(transaction);
            now = transaction.target();
            assertThat(nft).isEqualTo(InMemoryNft.of(Compiler.all(now)));
        }
        assertThat(now).isEqualTo(to);
    }

    @Property(tries = 100)
    void every_table_can_be_removed_and_no_change_writes_nothing(
            @ForAll Family family, @ForAll Random random) {
        RuleGraph graph = graph(family, random);
        assertThat(Renderer.render(graph, Delta.between(graph, graph)).size().isEmpty()).isTrue();
        InMemoryNft nft = holding(graph);
        RuleGraph nothing = RuleGraph.nothing(family);
        nft.apply(Renderer.render(graph, Delta.between(graph, nothing)));
        assertThat(nft).isEqualTo(new InMemoryNft());
    }

    @Property(tries = 100)
    void a_load_in_pieces_leads_to_the_same_table(@ForAll Family family, @ForAll Random random) {
        RuleGraph graph = graph(family, random);
        RuleGraph empty = RuleGraph.empty(family, graph.node());
        InMemoryNft nft = holding(empty);
        RuleGraph now = empty;
        List<Map.Entry<Frontend, Treatment>> entries =
                new ArrayList<>(graph.frontends().entrySet());
        Collections.shuffle(entries, random);
        for (Map.Entry<Frontend, Treatment> entry : entries) {
            RuleGraph next = now.with(entry.getKey(), entry.getValue());
            nft.apply(Renderer.render(now, Delta.between(now, next)));
            now = next;
        }
        assertThat(nft).isEqualTo(InMemoryNft.of(Compiler.all(graph)));
    }

    @Property(tries = 100)
    void the_same_graph_gives_the_same_text(@ForAll Family family, @ForAll long seed) {
        RuleGraph once = graph(family, new Random(seed));
        RuleGraph again = graph(family, new Random(seed));
        assertThat(Renderer.load(once).text()).isEqualTo(Renderer.load(again).text());
    }

    @Property(tries = 100)
    void a_refused_batch_changes_nothing(@ForAll Family family, @ForAll Random random) {
        RuleGraph from = graph(family, random);
        RuleGraph to = graph(family, random);
        RuleGraph bare = RuleGraph.empty(family, from.node());
        InMemoryNft nft = holding(bare);
        InMemoryNft before = holding(bare);
        for (Frontend frontend : to.frontends().keySet()) {
            if (frontend instanceof Frontend.Address) {
                for (InMemoryNft each : List.of(nft, before)) {
                    each.intrude(Sets.SERVICES, KeyBytes.of(frontend), new NftValue.Drop());
                    each.intrude(Sets.NO_ENDPOINTS, KeyBytes.of(frontend), new NftValue.Accept());
                }
            }
        }
        RuleGraph wanted = to.with(bare.node());
        List<Batch> batches = Renderer.render(bare, Delta.between(bare, wanted)).batches();
        if (batches.size() == 1) {
            boolean hasAddress =
                    to.frontends().keySet().stream().anyMatch(Frontend.Address.class::isInstance);
            if (hasAddress) {
                assertThatThrownBy(() -> nft.apply(batches.getFirst()))
                        .isInstanceOf(InMemoryNft.RefusedException.class);
                assertThat(nft).isEqualTo(before);
            }
        }
    }

    private static RuleGraph graph(Family family, Random random) {
        RandomCluster cluster = new RandomCluster(family, random);
        Planner planner = new Planner(family, cluster.node(), cluster.settings());
        planner.plan(cluster.services());
        return planner.graph();
    }

    private static InMemoryNft holding(RuleGraph graph) {
        InMemoryNft nft = new InMemoryNft();
        nft.apply(Renderer.load(graph));
        assertThat(nft).isEqualTo(InMemoryNft.of(Compiler.all(graph)));
        return nft;
    }

    private static List<Delta> split(Delta delta, Random random) {
        List<SortedMap<Frontend, Change<Treatment>>> parts = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            parts.add(new TreeMap<>());
        }
        delta.frontends()
                .forEach(
                        (frontend, change) ->
                                parts.get(random.nextInt(count)).put(frontend, change));
        int nodeAt = random.nextInt(count);
        List<Delta> deltas = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            NodeRules before = i <= nodeAt ? delta.nodeBefore() : delta.nodeAfter();
            NodeRules after = i < nodeAt ? delta.nodeBefore() : delta.nodeAfter();
            deltas.add(
                    new Delta(
                            delta.family(),
                            before,
                            after,
                            parts.get(i),
                            i == 0 ? delta.healthChecks() : new TreeMap<>()));
        }
        return deltas;
    }
}
