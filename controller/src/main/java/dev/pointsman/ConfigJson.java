package dev.pointsman;

import dev.pointsman.config.Effective;
import dev.pointsman.config.Value;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/// A configuration as JSON.
final class ConfigJson {
    private ConfigJson() {}

    /// As `/configz` of the components of Kubernetes shows it.
    static String configz(Effective configuration) {
        StringWriter text = new StringWriter();
        new Json.Fields(Map.of("kubeproxy.config.k8s.io", of(configuration.whole())))
                .print(new PrintWriter(text));
        return text.toString();
    }

    static Json of(Value value) {
        return switch (value) {
            case Value.Text(var text) -> new Json.Text(text);
            case Value.Count(var count) -> new Json.Count(count);
            case Value.Rate(var rate) -> new Json.Rate(rate);
            case Value.Truth(var truth) -> new Json.Truth(truth);
            case Value.Words(var words) -> Json.of(words);
            case Value.Section(var members) -> {
                Map<String, Json> fields = new LinkedHashMap<>();
                members.forEach((name, member) -> fields.put(name, of(member)));
                yield new Json.Fields(fields);
            }
        };
    }
}
