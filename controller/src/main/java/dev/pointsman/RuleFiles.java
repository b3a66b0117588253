package dev.pointsman;

import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.read.NftReader;
import dev.pointsman.packet.read.SyntaxException;
import dev.pointsman.packet.verify.Opaque;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/// Which rules a command asks.
final class RuleFiles {
    @Option(
            names = "--rules",
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "What nft list ruleset printed on the node, other tables than ours included."
                            + " Without it: the rules that Pointsman would write.")
    List<Path> files = new ArrayList<>();

    @Option(
            names = "--assume",
            paramLabel = "CHAIN=opaque",
            description = "Take a chain that is not understood for one that changes no packet.")
    List<String> assumptions = new ArrayList<>();

    /// Where the rules come from, for people.
    String origin(Mode mode) {
        return files.isEmpty()
                ? "the " + mode.name() + " rules that Pointsman would write"
                : "the rules in " + String.join(", ", files.stream().map(Path::toString).toList());
    }

    Ruleset read(Mode mode, RuleGraph graph) {
        Ruleset rules = new Ruleset(List.of(), List.of());
        if (files.isEmpty()) {
            RuleGraph nothing = RuleGraph.nothing(graph.family());
            Step step = Step.of(mode, nothing, Delta.between(nothing, graph));
            rules = parsed("the rules of mode " + mode.name(), step.transaction().text());
        }
        for (Path file : files) {
            rules = rules.and(parsed(file.toString(), text(file)));
        }
        for (String assumption : assumptions) {
            rules = assuming(rules, assumption);
        }
        return rules;
    }

    private static Ruleset assuming(Ruleset rules, String assumption) {
        int equals = assumption.lastIndexOf('=');
        if (equals < 1 || !assumption.substring(equals).equals("=opaque")) {
            throw Complaint.ofInput(
                    "--assume: \"" + assumption + "\" is no assumption; give CHAIN=opaque");
        }
        try {
            return Opaque.assuming(rules, assumption.substring(0, equals));
        } catch (IllegalArgumentException e) {
            throw Complaint.ofInput("--assume: " + e.getMessage());
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw Complaint.ofInput("--rules: " + file + " cannot be read: " + e);
        }
    }

    private static Ruleset parsed(String where, String text) {
        try {
            return NftReader.read(text);
        } catch (SyntaxException e) {
            throw Complaint.ofInput(
                    where
                            + ":"
                            + e.getMessage()
                            + "; the text must be what nft list ruleset prints");
        }
    }
}
