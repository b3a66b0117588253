package dev.pointsman;

import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Sources;
import dev.pointsman.graph.Treatment;
import dev.pointsman.store.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `pointsman get services`.
@Command(
        name = "services",
        aliases = {"service", "svc"},
        description = {
            "Shows each address and port of each Service with what packets for it meet, by where"
                    + " they come from: a pod of this node, the node itself, or elsewhere.",
            "\"kept\" and \"masqueraded\" say which source address an endpoint sees."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:shown",
            "2:bad usage, nothing could be read, the Node is unknown; with --strict also when an"
                    + " object could not be used",
        })
final class GetServicesCommand implements Callable<Integer> {
    private record Row(Family family, Frontend frontend, Treatment treatment) {}

    private static final Comparator<Row> ORDER =
            Comparator.comparing((Row row) -> row.treatment().owner())
                    .thenComparing(row -> row.treatment().kind())
                    .thenComparing(Row::family)
                    .thenComparing(Row::frontend);

    private final Surroundings around;

    @Mixin GetCommand.Scope scope = new GetCommand.Scope();

    GetServicesCommand(Surroundings around) {
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
        List<Row> rows = new ArrayList<>();
        for (Planner planner : planners) {
            planner.graph()
                    .frontends()
                    .forEach(
                            (frontend, treatment) -> {
                                if (scope.includes(treatment.owner().service())) {
                                    rows.add(
                                            new Row(planner.graph().family(), frontend, treatment));
                                }
                            });
        }
        rows.sort(ORDER);
        switch (scope.output) {
            case table -> table(rows);
            case json -> json(situation, rows, findings).print(around.out());
        }
        return scope.input.report(findings, around.err(), Exit.OK);
    }

    private void table(List<Row> rows) {
        if (rows.isEmpty()) {
            around.err().println(scope.nothing("Services"));
            return;
        }
        Table table =
                new Table(
                        "SERVICE",
                        "FRONTEND",
                        "KIND",
                        "FROM POD",
                        "FROM HOST",
                        "FROM OUTSIDE",
                        "NOTES");
        for (Row row : rows) {
            Treatment treatment = row.treatment();
            table.row(
                    treatment.owner().toString(),
                    row.frontend() instanceof Frontend.NodePort
                            ? row.frontend() + " (" + row.family().title() + ")"
                            : row.frontend().toString(),
                    kind(treatment.kind()),
                    words(treatment.fromPod()),
                    words(treatment.fromHost()),
                    words(treatment.fromOutside()),
                    notes(treatment));
        }
        table.print(around.out());
    }

    private static String kind(Treatment.Kind kind) {
        return switch (kind) {
            case CLUSTER_IP -> "ClusterIP";
            case LOAD_BALANCER_IP -> "LoadBalancer";
            case EXTERNAL_IP -> "ExternalIP";
            case NODE_PORT -> "NodePort";
        };
    }

    private static String words(Disposition disposition) {
        return switch (disposition) {
            case Disposition.Balance(var pool, var source) ->
                    pool.endpoints().size()
                            + switch (pool.scope()) {
                                case CLUSTER -> "";
                                case LOCAL -> " local";
                            }
                            + ", "
                            + source(source);
            case Disposition.Reject _ -> "reject: no endpoint anywhere";
            case Disposition.Drop _ -> "drop: no local endpoint";
        };
    }

    private static String source(Disposition.SourceAddress source) {
        return switch (source) {
            case KEEP -> "kept";
            case MASQUERADE -> "masqueraded";
        };
    }

    private static String notes(Treatment treatment) {
        List<String> notes = new ArrayList<>();
        switch (treatment.affinity()) {
            case Affinity.ClientIp(int seconds) -> notes.add("client affinity " + seconds + " s");
            case Affinity.None _ -> {}
        }
        switch (treatment.sources()) {
            case Sources.Only(var ranges) ->
                    notes.add(
                            "only from "
                                    + String.join(
                                            " ", ranges.stream().map(Object::toString).toList()));
            case Sources.Everyone _ -> {}
        }
        return String.join("; ", notes);
    }

    private static Json json(Situation situation, List<Row> rows, List<Finding> findings) {
        Map<String, Json> document = FileOptions.document("ServiceList");
        document.put("node", new Json.Text(situation.node().name()));
        List<Json> items = new ArrayList<>();
        for (Row row : rows) {
            Treatment treatment = row.treatment();
            Map<String, Json> item = new LinkedHashMap<>();
            item.put("namespace", new Json.Text(treatment.owner().service().namespace()));
            item.put("name", new Json.Text(treatment.owner().service().name()));
            item.put("port", new Json.Text(treatment.owner().port()));
            item.put("protocol", new Json.Text(treatment.owner().protocol().name()));
            item.put("family", new Json.Text(row.family().title()));
            item.put("frontend", new Json.Text(row.frontend().toString()));
            item.put("kind", new Json.Text(kind(treatment.kind())));
            item.put("fromPod", json(treatment.fromPod()));
            item.put("fromHost", json(treatment.fromHost()));
            item.put("fromOutside", json(treatment.fromOutside()));
            item.put("affinitySeconds", new Json.Count(affinity(treatment)));
            item.put("allowedSources", Json.of(allowed(treatment)));
            items.add(new Json.Fields(item));
        }
        document.put("items", new Json.Array(items));
        document.put("findings", FileOptions.json(findings));
        return new Json.Fields(document);
    }

    private static long affinity(Treatment treatment) {
        return switch (treatment.affinity()) {
            case Affinity.ClientIp(int seconds) -> seconds;
            case Affinity.None _ -> 0;
        };
    }

    private static List<String> allowed(Treatment treatment) {
        return switch (treatment.sources()) {
            case Sources.Only(var ranges) -> ranges.stream().map(Object::toString).toList();
            case Sources.Everyone _ -> List.of();
        };
    }

    private static Json json(Disposition disposition) {
        Map<String, Json> fields = new LinkedHashMap<>();
        switch (disposition) {
            case Disposition.Balance(var pool, var source) -> {
                fields.put("action", new Json.Text("balance"));
                fields.put("source", new Json.Text(source(source)));
                fields.put(
                        "endpoints",
                        Json.of(pool.endpoints().stream().map(Object::toString).toList()));
            }
            case Disposition.Reject _ -> {
                fields.put("action", new Json.Text("reject"));
                fields.put("reason", new Json.Text("no endpoint anywhere"));
            }
            case Disposition.Drop _ -> {
                fields.put("action", new Json.Text("drop"));
                fields.put("reason", new Json.Text("no local endpoint"));
            }
        }
        return new Json.Fields(fields);
    }
}
