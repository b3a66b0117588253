package dev.pointsman;

import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.store.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `pointsman render`.
@Command(
        name = "render",
        description = {
            "Prints the rules of one node for a cluster read from files.",
            "The text is what the kernel's own tool loads, such as nft -f. It needs no root and no"
                    + " kernel, and is what run would write on an empty one."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:printed, even if some objects could not be used (they are named on stderr)",
            "2:bad usage, nothing could be read, the Node is unknown; with --strict also when an"
                    + " object could not be used",
        })
final class RenderCommand implements Callable<Integer> {
    private final Surroundings around;

    @Mixin FileOptions input = new FileOptions();
    @Mixin RuleOptions rules = new RuleOptions();

    @Option(
            names = {"-o", "--output"},
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by default.")
    TextFormat output = TextFormat.text;

    RenderCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        List<Finding> findings = new ArrayList<>();
        ProxyConfiguration configuration = rules.configuration(findings);
        Mode mode = rules.mode(configuration, around.modes().get());
        Situation situation = Situation.read(input.files, around.in(), rules, configuration);
        findings.addAll(situation.findings());
        List<Planner> planners = new ArrayList<>();
        List<Step> steps = new ArrayList<>();
        for (Family family : rules.families()) {
            Planner planner = situation.planner(family);
            RuleGraph nothing = RuleGraph.nothing(family);
            planners.add(planner);
            steps.add(Step.of(mode, nothing, Delta.between(nothing, planner.graph())));
        }
        findings.addAll(Situation.conflicts(planners));
        switch (output) {
            case text -> steps.forEach(step -> step.print(around.out()));
            case json -> json(mode, situation, steps, findings).print(around.out());
        }
        return input.report(findings, around.err(), Exit.OK);
    }

    private static Json json(
            Mode mode, Situation situation, List<Step> steps, List<Finding> findings) {
        Map<String, Json> document = FileOptions.document("Rendering");
        document.put("mode", new Json.Text(mode.name()));
        document.put("node", new Json.Text(situation.node().name()));
        List<Json> families = new ArrayList<>();
        for (Step step : steps) {
            Map<String, Json> family = step.json();
            family.put("frontends", new Json.Count(step.after().frontends().size()));
            family.put("endpoints", new Json.Count(step.endpoints()));
            step.putScript(family);
            families.add(new Json.Fields(family));
        }
        document.put("families", new Json.Array(families));
        document.put("findings", FileOptions.json(findings));
        return new Json.Fields(document);
    }
}
