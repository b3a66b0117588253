package dev.pointsman;

import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.store.Finding;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `pointsman plan`.
@Command(
        name = "plan",
        description = {
            "Shows what one node would write to get from one state of the cluster to another.",
            "Without --from it starts from a kernel without rules. Endpoints that stay keep their"
                    + " place, as they do in a running Pointsman."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing changes",
            "1:something changes",
            "2:bad usage, nothing could be read, the Node is unknown; with --strict also when an"
                    + " object could not be used",
        })
final class PlanCommand implements Callable<Integer> {
    private final Surroundings around;

    @Mixin FileOptions input = new FileOptions();
    @Mixin RuleOptions rules = new RuleOptions();

    @Option(
            names = "--from",
            paramLabel = "FILE",
            arity = "1..*",
            description = "The cluster as it was, in the same forms as -f.")
    List<String> from = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by default.")
    TextFormat output = TextFormat.text;

    PlanCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        List<Finding> findings = new ArrayList<>();
        ProxyConfiguration configuration = rules.configuration(findings);
        Mode mode = rules.mode(configuration, around.modes().get());
        Optional<Situation> old =
                from.isEmpty()
                        ? Optional.empty()
                        : Optional.of(Situation.read(from, around.in(), rules, configuration));
        Situation situation = Situation.read(input.files, around.in(), rules, configuration);
        findings.addAll(situation.findings());
        List<Planner> planners = new ArrayList<>();
        List<Step> steps = new ArrayList<>();
        for (Family family : rules.families()) {
            Planner planner =
                    old.map(o -> o.planner(family))
                            .orElseGet(
                                    () ->
                                            new Planner(
                                                    family,
                                                    situation.node(),
                                                    situation.settings()));
            RuleGraph before = planner.graph();
            Delta delta =
                    planner.replan(
                            situation.node(),
                            situation.settings(),
                            states(old.map(Situation::services).orElse(List.of()), situation));
            planners.add(planner);
            steps.add(Step.of(mode, before, delta));
        }
        findings.addAll(Situation.conflicts(planners));
        switch (output) {
            case text -> steps.forEach(step -> print(step, around.out()));
            case json -> json(mode, situation, steps, findings).print(around.out());
        }
        return input.report(findings, around.err(), changes(steps) ? Exit.DIFFERENT : Exit.OK);
    }

    private static boolean changes(List<Step> steps) {
        return steps.stream().anyMatch(step -> !step.transaction().size().isEmpty());
    }

    private static List<ServiceState> states(List<ServiceState.Present> old, Situation now) {
        Map<ServiceName, ServiceState> states = new TreeMap<>();
        old.forEach(s -> states.put(s.name(), new ServiceState.Absent(s.name())));
        now.services().forEach(s -> states.put(s.name(), s));
        return List.copyOf(states.values());
    }

    private static void print(Step step, PrintWriter out) {
        out.printf(
                "# %s: Frontends %d added, %d removed, %d changed; endpoints %d added, %d removed;"
                        + " %d rules and %d elements written%n",
                step.family().title(),
                step.frontendsAdded(),
                step.frontendsRemoved(),
                step.frontendsChanged(),
                step.endpointsAdded(),
                step.endpointsRemoved(),
                step.transaction().size().rules(),
                step.transaction().size().elements());
        if (!step.transaction().size().isEmpty()) {
            step.print(out);
        }
    }

    private static Json json(
            Mode mode, Situation situation, List<Step> steps, List<Finding> findings) {
        Map<String, Json> document = FileOptions.document("Plan");
        document.put("mode", new Json.Text(mode.name()));
        document.put("node", new Json.Text(situation.node().name()));
        document.put("changes", new Json.Truth(changes(steps)));
        List<Json> families = new ArrayList<>();
        for (Step step : steps) {
            Map<String, Json> frontends = new LinkedHashMap<>();
            frontends.put("added", new Json.Count(step.frontendsAdded()));
            frontends.put("removed", new Json.Count(step.frontendsRemoved()));
            frontends.put("changed", new Json.Count(step.frontendsChanged()));
            Map<String, Json> endpoints = new LinkedHashMap<>();
            endpoints.put("added", new Json.Count(step.endpointsAdded()));
            endpoints.put("removed", new Json.Count(step.endpointsRemoved()));
            Map<String, Json> family = step.json();
            family.put("frontends", new Json.Fields(frontends));
            family.put("endpoints", new Json.Fields(endpoints));
            step.putScript(family);
            families.add(new Json.Fields(family));
        }
        document.put("families", new Json.Array(families));
        document.put("findings", FileOptions.json(findings));
        return new Json.Fields(document);
    }
}
