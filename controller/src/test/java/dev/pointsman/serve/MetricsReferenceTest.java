package dev.pointsman.serve;

import dev.pointsman.Generated;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// `docs/metrics.md` has every metric, with what the program says of it.
final class MetricsReferenceTest {
    private static final Path FILE = Path.of("../docs/metrics.md");
    private static final String HEAD =
            """
            # Metrics

            Everything that `/metrics` shows, as a test of the program writes it down (`MetricsReferenceTest`, `-Dgolden=update`). What is
            behind some of them, and what of kube-proxy's is not there: [operations](operations.md#metrics).

            | metric | type | labels | in mode | |
            |---|---|---|---|---|
            """;

    @Test
    void every_metric_is_listed() throws Exception {
        SortedMap<String, List<String>> modes = new TreeMap<>();
        SortedMap<String, Exposed> all = new TreeMap<>();
        for (String mode : Exposed.MODES) {
            Exposed.in(mode)
                    .forEach(
                            (name, exposed) -> {
                                all.put(name, exposed);
                                modes.computeIfAbsent(name, _ -> new ArrayList<>()).add(mode);
                            });
        }
        StringBuilder text = new StringBuilder(HEAD);
        modes.forEach(
                (name, its) -> text.append(row(name, Objects.requireNonNull(all.get(name)), its)));
        Generated.check(FILE, text.toString());
    }

    private static String row(String name, Exposed exposed, List<String> modes) {
        return "| `%s` | %s | %s | %s | %s |\n"
                .formatted(
                        name,
                        exposed.type(),
                        String.join(", ", exposed.labels()),
                        modes.equals(Exposed.MODES) ? "every" : String.join(", ", modes),
                        exposed.help());
    }
}
