package dev.pointsman.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.read.NftReader;
import dev.pointsman.packet.scenario.Arrival;
import dev.pointsman.packet.scenario.ScenarioReader;
import dev.pointsman.packet.scenario.Sync;
import dev.pointsman.packet.verify.Grid;
import dev.pointsman.packet.verify.Mutants;
import dev.pointsman.packet.verify.Mutants.Mutant;
import dev.pointsman.packet.verify.Proof;
import dev.pointsman.packet.verify.Verifier;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Rules with one thing wrong are told from right ones, unless no packet can tell them.
final class MutationTest {
    private static final long SEED = Long.getLong("pointsman.seed", 1);

    /// Flows that a mutant which passes has to treat as the original does.
    private static final int TRIES = Integer.getInteger("pointsman.flows", 400);

    private static final List<IpAddress> PEOPLE =
            List.of(
                    IpAddress.parse("203.0.113.7"),
                    IpAddress.parse("203.0.113.200"),
                    IpAddress.parse("10.180.0.9"),
                    IpAddress.parse("10.180.0.77"),
                    IpAddress.parse("10.180.9.9"),
                    IpAddress.parse("172.30.200.1"),
                    IpAddress.parse("8.8.8.8"));

    @Test
    void no_mutant_that_treats_a_packet_differently_is_proved() throws Exception {
        Sync sync = town();
        NodeView node = sync.cluster().node();
        RuleGraph graph = sync.transitions().values().iterator().next().after();
        Ruleset right = NftReader.read(Renderer.load(graph).text());
        assertThat(new Verifier(graph, node, right).verify(_ -> {}).disagreements()).isEmpty();

        Grid grid = new Grid(graph, node, PEOPLE);
        Random random = new Random(SEED);
        List<Mutant> mutants = Mutants.of(right);
        Map<String, Integer> equivalent = new TreeMap<>();
        List<String> missed = new ArrayList<>();
        for (Mutant mutant : mutants) {
            Proof proof = new Verifier(graph, node, mutant.rules()).verify(_ -> {});
            if (proof.doubts().isEmpty() && proof.disagreements().isEmpty()) {
                Optional<Flow> flow = grid.difference(right, mutant.rules(), TRIES, random);
                flow.ifPresent(witness -> missed.add(mutant + " differs for " + witness));
                equivalent.merge(mutant.toString(), 1, Integer::sum);
            }
        }
        System.out.printf(
                "%d mutants: %d found by verify, %d that no packet tells from the original"
                        + " (%d flows tried for each, seed %d), %d missed%n",
                mutants.size(),
                mutants.size() - equivalent.values().stream().mapToInt(Integer::intValue).sum(),
                equivalent.values().stream().mapToInt(Integer::intValue).sum() - missed.size(),
                TRIES,
                SEED,
                missed.size());
        if (Boolean.getBoolean("pointsman.equivalent")) {
            equivalent.keySet().forEach(System.out::println);
        }
        assertThat(missed).isEmpty();
    }

    private static Sync town() throws IOException, URISyntaxException {
        URL file = MutationTest.class.getResource("/mutation/town.scenario");
        assertThat(file).isNotNull();
        return ScenarioReader.read(Path.of(file.toURI())).syncs(Arrival.AS_WRITTEN).getFirst();
    }
}
