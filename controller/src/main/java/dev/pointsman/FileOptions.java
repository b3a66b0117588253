package dev.pointsman;

import dev.pointsman.store.Finding;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/// Where an offline command reads the cluster from, and how it takes what is odd there.
final class FileOptions {
    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            arity = "1..*",
            description =
                    "What kubectl get svc,endpointslices,nodes,servicecidrs -A -o yaml (or json)"
                            + " printed: files, folders, or - for standard input.")
    List<String> files = new ArrayList<>();

    @Option(
            names = "--strict",
            description = "Exit with 2 when an object, or a part of one, could not be used.")
    boolean strict;

    /// Prints findings for people, and says with what to exit where the command itself went well.
    int report(List<Finding> findings, PrintWriter err, int exitCode) {
        findings.forEach(err::println);
        boolean errors = findings.stream().anyMatch(f -> f.severity() == Finding.Severity.ERROR);
        return strict && errors ? Exit.INPUT : exitCode;
    }

    static Json json(List<Finding> findings) {
        List<Json> all = new ArrayList<>();
        for (Finding finding : findings) {
            Map<String, Json> fields = new LinkedHashMap<>();
            fields.put("severity", new Json.Text(finding.severity().title()));
            fields.put("object", new Json.Text(finding.object()));
            fields.put("where", new Json.Text(finding.where()));
            fields.put("field", new Json.Text(finding.field()));
            fields.put("reason", new Json.Text(finding.reason()));
            fields.put("consequence", new Json.Text(finding.consequence()));
            all.add(new Json.Fields(fields));
        }
        return new Json.Array(all);
    }

    /// The first fields of every document that a command prints.
    static Map<String, Json> document(String kind) {
        Map<String, Json> fields = new LinkedHashMap<>();
        fields.put("apiVersion", new Json.Text("pointsman.dev/v1alpha1"));
        fields.put("kind", new Json.Text(kind));
        return fields;
    }
}
