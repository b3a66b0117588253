package dev.pointsman;

import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.packet.netfilter.Path.Note;
import dev.pointsman.packet.verify.AssumedNode;
import dev.pointsman.packet.verify.Disagreement;
import dev.pointsman.packet.verify.Proof;
import dev.pointsman.packet.verify.Verifier;
import dev.pointsman.store.Finding;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `pointsman verify`.
@Command(
        name = "verify",
        description = {
            "Proves that rules do with every packet what the cluster wants of one node, or shows"
                    + " packets with which they do not.",
            "Every class of packets that the cluster or a rule tells apart is looked at once."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:proved",
            "1:some packets are treated otherwise than they must, or --conntrack has UDP flows that a"
                    + " proxy must delete; each kind is shown with one",
            "2:bad usage, nothing could be read, the Node is unknown; with --strict also when an"
                    + " object could not be used",
            "3:rules hold what is not understood, which is listed: nothing is proved",
        })
final class VerifyCommand implements Callable<Integer> {
    private static final int SHOWN = 50;
    private static final int PROGRESS = 500;

    private record Verified(Family family, Proof proof, long milliseconds) {}

    private final Surroundings around;

    @Mixin FileOptions input = new FileOptions();
    @Mixin RuleOptions rules = new RuleOptions();
    @Mixin RuleFiles ruleFiles = new RuleFiles();
    @Mixin NodeFiles nodeFiles = new NodeFiles();
    @Mixin FlowFile flowFile = new FlowFile();

    @Option(
            names = {"-o", "--output"},
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by default.")
    TextFormat output = TextFormat.text;

    VerifyCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        List<Finding> findings = new ArrayList<>();
        ProxyConfiguration configuration = rules.configuration(findings, ruleFiles.mode());
        Mode mode = rules.mode(configuration, around.modes().get());
        ruleFiles.reportMissing(rules.families(), findings);
        NodeSurvey survey = nodeFiles.read(rules.families(), findings);
        ruleFiles.reportAssumed(survey, findings);
        Situation situation =
                survey.of(Situation.read(input.files, around.in(), rules, configuration));
        findings.addAll(situation.findings());
        List<Planner> planners = rules.families().stream().map(situation::planner).toList();
        findings.addAll(Situation.conflicts(planners));
        List<Verified> all = new ArrayList<>();
        for (Planner planner : planners) {
            all.add(verify(planner, situation, survey, mode));
        }
        Optional<FlowReport> flows = FlowReport.of(flowFile, planners, situation);
        switch (output) {
            case text -> {
                all.forEach(verified -> print(verified, mode));
                flows.ifPresent(report -> report.print(around.out(), SHOWN));
            }
            case json -> json(mode, situation, all, flows, findings).print(around.out());
        }
        if (output == TextFormat.text) {
            Proof.LIMITS.forEach(limit -> around.out().println("# " + limit));
        }
        return input.report(findings, around.err(), exitCode(all, flows));
    }

    private Verified verify(Planner planner, Situation situation, NodeSurvey survey, Mode mode) {
        long start = around.nanos().getAsLong();
        Verifier verifier =
                new Verifier(
                        planner.graph(),
                        situation.node(),
                        survey.on(
                                AssumedNode.of(planner.graph(), situation.node()),
                                planner.graph().family()),
                        ruleFiles.read(mode, planner.graph(), survey));
        Proof proof = verifier.verify(done -> progress(planner, done, verifier.size()));
        return new Verified(
                planner.graph().family(), proof, (around.nanos().getAsLong() - start) / 1_000_000);
    }

    private void progress(Planner planner, int done, int size) {
        if (around.errScreen() == Surroundings.Screen.TERMINAL
                && (done % PROGRESS == 0 || done == size)) {
            PrintWriter err = around.err();
            err.printf(
                    "\r%s: %,d of %,d destinations%s",
                    planner.graph().family().title(), done, size, done == size ? "\n" : "");
            err.flush();
        }
    }

    private static int exitCode(List<Verified> all, Optional<FlowReport> flows) {
        if (all.stream().anyMatch(verified -> !verified.proof().doubts().isEmpty())) {
            return Exit.UNTRUSTWORTHY;
        }
        return all.stream().allMatch(verified -> verified.proof().disagreements().isEmpty())
                        && flows.map(FlowReport::isClean).orElse(true)
                ? Exit.OK
                : Exit.DIFFERENT;
    }

    private void print(Verified verified, Mode mode) {
        PrintWriter out = around.out();
        Proof proof = verified.proof();
        out.printf(
                "%s: %s; %,d classes of packets for %,d destinations in %,d ms (%s)%n",
                verified.family().title(),
                verdict(proof),
                proof.classes(),
                proof.targets(),
                verified.milliseconds(),
                ruleFiles.origin(mode));
        for (Note doubt : proof.doubts()) {
            out.println("  " + Doubt.words(doubt));
        }
        for (Disagreement each : proof.disagreements().stream().limit(SHOWN).toList()) {
            out.println("  " + each.object());
            out.println(
                    "    packet    "
                            + each.witness()
                            + (each.when().isEmpty() ? "" : ", " + each.when()));
            out.println("    expected  " + each.expected());
            out.println("    found     " + each.found());
        }
        if (proof.disagreements().size() > SHOWN) {
            out.printf(
                    "  and %,d more; -o json has them all%n", proof.disagreements().size() - SHOWN);
        }
    }

    private static String verdict(Proof proof) {
        if (!proof.doubts().isEmpty()) {
            return "not trustworthy";
        }
        return proof.disagreements().isEmpty()
                ? "proved"
                : proof.disagreements().size() == 1
                        ? "1 disagreement"
                        : proof.disagreements().size() + " disagreements";
    }

    private Json json(
            Mode mode,
            Situation situation,
            List<Verified> all,
            Optional<FlowReport> flows,
            List<Finding> findings) {
        Map<String, Json> document = FileOptions.document("Verification");
        document.put("node", new Json.Text(situation.node().name()));
        document.put("rules", new Json.Text(ruleFiles.origin(mode)));
        List<Json> families = new ArrayList<>();
        for (Verified verified : all) {
            Proof proof = verified.proof();
            Map<String, Json> family = new LinkedHashMap<>();
            family.put("family", new Json.Text(verified.family().title()));
            family.put("verdict", new Json.Text(verdict(proof)));
            family.put("destinations", new Json.Count(proof.targets()));
            family.put("classes", new Json.Count(proof.classes()));
            family.put("milliseconds", new Json.Count(verified.milliseconds()));
            family.put(
                    "notUnderstood", Json.of(proof.doubts().stream().map(Doubt::words).toList()));
            family.put(
                    "disagreements",
                    new Json.Array(proof.disagreements().stream().map(this::json).toList()));
            families.add(new Json.Fields(family));
        }
        document.put("families", new Json.Array(families));
        flows.ifPresent(report -> document.put("conntrack", report.json()));
        document.put("limits", Json.of(Proof.LIMITS));
        document.put("findings", FileOptions.json(findings));
        return new Json.Fields(document);
    }

    private Json json(Disagreement each) {
        Map<String, Json> fields = new LinkedHashMap<>();
        fields.put("object", new Json.Text(each.object()));
        fields.put("packet", new Json.Text(each.witness().toString()));
        fields.put("when", new Json.Text(each.when()));
        fields.put("expected", new Json.Text(each.expected().toString()));
        fields.put("found", new Json.Text(each.found().toString()));
        return new Json.Fields(fields);
    }
}
