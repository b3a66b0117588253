package dev.pointsman.perf.bench;

import dev.pointsman.Table;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `pointsman bench compare`.
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description =
                "Holds the figures of B against those of A: ratios, and a verdict where the two lie"
                        + " further apart than runs of either do among themselves.")
final class CompareCommand implements Callable<Integer> {
    enum Format {
        table,
        json
    }

    @Spec CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "A", description = "A results.json of pointsman bench.")
    Path a = Path.of("");

    @Parameters(index = "1", paramLabel = "B", description = "Another.")
    Path b = Path.of("");

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by default.")
    Format output = Format.table;

    @Override
    public Integer call() {
        Comparison comparison = Comparison.of(read(a), read(b));
        if (comparison.rows().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    a + " and " + b + " have no figure in common: other modes or other clusters");
        }
        PrintWriter out = spec.commandLine().getOut();
        switch (output) {
            case table -> print(comparison, out);
            case json -> out.println(json(comparison));
        }
        return CommandLine.ExitCode.OK;
    }

    private Results read(Path file) {
        try {
            return ResultsFile.read(file);
        } catch (ResultsFile.Unreadable e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static void print(Comparison comparison, PrintWriter out) {
        Table table = new Table("METRIC", "MODE", "SCALE", "PROXY", "A", "B", "B/A", "B IS");
        for (Comparison.Row row : comparison.rows()) {
            table.row(
                    row.metric().id(),
                    row.cell().mode(),
                    row.cell().scale(),
                    row.cell().proxy(),
                    row.a().text(row.metric().unit()),
                    row.b().text(row.metric().unit()),
                    Double.isFinite(row.ratio()) ? Range.number(row.ratio()) : "–",
                    row.verdict().words());
        }
        table.print(out);
    }

    private static String json(Comparison comparison) {
        JsonMapper json = new JsonMapper();
        ObjectNode tree = json.createObjectNode();
        tree.put("apiVersion", ResultsFile.VERSION).put("kind", "BenchComparison");
        ArrayNode rows = tree.putArray("rows");
        for (Comparison.Row row : comparison.rows()) {
            ObjectNode node = rows.addObject();
            node.put("metric", row.metric().id())
                    .put("unit", row.metric().unit().symbol())
                    .put("mode", row.cell().mode())
                    .put("services", row.cell().shape().services())
                    .put("endpoints", row.cell().shape().endpoints())
                    .put("proxy", row.cell().proxy());
            node.set("a", range(json, row.a()));
            node.set("b", range(json, row.b()));
            if (Double.isFinite(row.ratio())) {
                node.put("ratio", row.ratio());
            }
            node.put("verdict", row.verdict().words());
        }
        return json.writerWithDefaultPrettyPrinter().writeValueAsString(tree);
    }

    private static ObjectNode range(JsonMapper json, Range range) {
        return json.createObjectNode()
                .put("least", range.least())
                .put("median", range.median())
                .put("most", range.most())
                .put("runs", range.runs());
    }
}
