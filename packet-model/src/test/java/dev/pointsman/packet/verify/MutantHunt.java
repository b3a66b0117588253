package dev.pointsman.packet.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.scenario.Arrival;
import dev.pointsman.packet.scenario.ScenarioReader;
import dev.pointsman.packet.scenario.Sync;
import dev.pointsman.packet.verify.Mutants.Mutant;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/// Tells rules with one thing wrong from right ones, unless no packet can tell them.
public final class MutantHunt {
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

    private MutantHunt() {}

    /// Mutates the rules of a small town with everything in it, and wants no mutant proved that
    /// treats a packet differently. Prints the score of `mode`; with `pointsman.equivalent` also
    /// the mutants that are taken for equivalent.
    ///
    /// @param rules what a backend makes of a graph, as the readers read it
    public static void run(String mode, Function<RuleGraph, Ruleset> rules) throws IOException {
        Sync sync = town();
        NodeView node = sync.cluster().node();
        RuleGraph graph = sync.transitions().values().iterator().next().after();
        Ruleset right = rules.apply(graph);
        assertThat(new Verifier(graph, node, right).verify(_ -> {}).disagreements()).isEmpty();

        Grid grid = new Grid(graph, node, PEOPLE);
        Random random = new Random(SEED);
        List<Mutant> mutants = Mutants.of(right);
        List<String> equivalent = new ArrayList<>();
        List<String> missed = new ArrayList<>();
        for (Mutant mutant : mutants) {
            Proof proof = new Verifier(graph, node, mutant.rules()).verify(_ -> {});
            if (proof.doubts().isEmpty() && proof.disagreements().isEmpty()) {
                Optional<Flow> witness = grid.difference(right, mutant.rules(), TRIES, random);
                if (witness.isPresent()) {
                    missed.add(mutant + " differs for " + witness.get());
                } else {
                    equivalent.add(mutant.toString());
                }
            }
        }
        System.out.printf(
                "%s: %d mutants: %d found by verify, %d that no packet tells from the original"
                        + " (%d flows tried for each, seed %d), %d missed%n",
                mode,
                mutants.size(),
                mutants.size() - equivalent.size() - missed.size(),
                equivalent.size(),
                TRIES,
                SEED,
                missed.size());
        if (Boolean.getBoolean("pointsman.equivalent")) {
            equivalent.stream().sorted().forEach(System.out::println);
        }
        assertThat(missed).isEmpty();
    }

    private static Sync town() throws IOException {
        String name = "town.scenario";
        try (InputStream file = MutantHunt.class.getResourceAsStream(name)) {
            assertThat(file).isNotNull();
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            return ScenarioReader.read(name, text).syncs(Arrival.AS_WRITTEN).getFirst();
        }
    }
}
