package dev.pointsman.serve;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Disposition;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Sources;
import dev.pointsman.graph.Treatment;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/// A graph for people: a line for each Frontend, and one for each list of endpoints under it.
final class GraphText {
    private GraphText() {}

    static void print(RuleGraph graph, Predicate<Treatment> wanted, Appendable out)
            throws IOException {
        out.append("# ").append(graph.family().title()).append('\n');
        for (Map.Entry<Frontend, Treatment> entry : graph.frontends().entrySet()) {
            if (wanted.test(entry.getValue())) {
                print(entry.getKey(), entry.getValue(), out);
            }
        }
    }

    private static void print(Frontend frontend, Treatment treatment, Appendable out)
            throws IOException {
        out.append(frontend.toString())
                .append(' ')
                .append(word(treatment.kind()))
                .append(" of ")
                .append(treatment.owner().toString())
                .append(": from pods ")
                .append(said(treatment.fromPod()))
                .append(", from the node ")
                .append(said(treatment.fromHost()))
                .append(", from outside ")
                .append(said(treatment.fromOutside()));
        if (treatment.sources() instanceof Sources.Only(var ranges)) {
            out.append(", only from ").append(ranges.toString());
        }
        if (treatment.affinity() instanceof Affinity.ClientIp(int seconds)) {
            out.append(", clients stay for ").append(String.valueOf(seconds)).append(" s");
        }
        out.append('\n');
        for (Pool pool : treatment.pools()) {
            out.append("  ").append(word(pool.scope())).append(':');
            for (Endpoint endpoint : pool.endpoints()) {
                out.append(' ')
                        .append(
                                new Frontend.Address(
                                                endpoint.address(),
                                                treatment.owner().protocol(),
                                                endpoint.port())
                                        .toString());
            }
            out.append('\n');
        }
    }

    private static String said(Disposition disposition) {
        return switch (disposition) {
            case Disposition.Balance(var pool, var source) ->
                    "to " + word(pool.scope()) + " " + word(source);
            case Disposition.Reject _ -> "refused";
            case Disposition.Drop _ -> "dropped";
        };
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
