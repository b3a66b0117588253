package dev.pointsman;

import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.store.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `pointsman get endpoints`.
@Command(
        name = "endpoints",
        aliases = {"endpoint", "ep"},
        description = {
            "Shows each endpoint of each Service port, whether this node uses it, and why.",
            "CLUSTER is the list for policy Cluster, LOCAL the one for policy Local."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:shown",
            "2:bad usage, nothing could be read, the Node is unknown; with --strict also when an"
                    + " object could not be used",
        })
final class GetEndpointsCommand implements Callable<Integer> {
    private final Surroundings around;

    @Mixin GetCommand.Scope scope = new GetCommand.Scope();

    GetEndpointsCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        List<Finding> findings = new ArrayList<>();
        ProxyConfiguration configuration = scope.rules.configuration(findings);
        Situation situation =
                Situation.read(scope.input.files, around.in(), scope.rules, configuration);
        findings.addAll(situation.findings());
        List<Planner> planners = scope.rules.families().stream().map(situation::planner).toList();
        findings.addAll(Situation.conflicts(planners));
        List<EndpointReport.Line> lines = new ArrayList<>();
        for (Planner planner : planners) {
            EndpointReport report = new EndpointReport(situation, planner.graph());
            for (ServiceState.Present state : situation.services()) {
                if (scope.includes(state.name())) {
                    lines.addAll(report.lines(state));
                }
            }
        }
        // Stable: within a port the addresses stay in their order, IPv4 first.
        lines.sort(Comparator.comparing(EndpointReport.Line::owner));
        switch (scope.output) {
            case table -> table(lines);
            case json -> json(situation, lines, findings).print(around.out());
        }
        return scope.input.report(findings, around.err(), Exit.OK);
    }

    private void table(List<EndpointReport.Line> lines) {
        if (lines.isEmpty()) {
            around.err().println(scope.nothing("endpoints"));
            return;
        }
        Table table = new Table("SERVICE", "ENDPOINT", "NODE", "CONDITION", "CLUSTER", "LOCAL");
        for (EndpointReport.Line line : lines) {
            table.row(
                    line.owner().toString(),
                    line.endpoint() + "/" + line.owner().protocol().keyword(),
                    line.node().isEmpty() ? "-" : line.node(),
                    line.condition().word(),
                    line.cluster().toString(),
                    line.local().toString());
        }
        table.print(around.out());
    }

    private static Json json(
            Situation situation, List<EndpointReport.Line> lines, List<Finding> findings) {
        Map<String, Json> document = FileOptions.document("EndpointList");
        document.put("node", new Json.Text(situation.node().name()));
        document.put(
                "items",
                new Json.Array(
                        lines.stream()
                                .<Json>map(line -> new Json.Fields(EndpointReport.json(line)))
                                .toList()));
        document.put("findings", FileOptions.json(findings));
        return new Json.Fields(document);
    }
}
