package dev.pointsman.serve;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.Treatment;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// What this node's rules are and how they came to be. Answered from graphs that the loop left
/// behind, so that it is never held up.
final class DebugPages implements Pages {
    private static final int LONGEST = 262_144;
    private static final String SERVICE = "service";
    private static final Pattern VERBOSITIES = Pattern.compile("\\d{1,9}");
    private static final String VERBOSITY = "/debug/flags/v";
    private static final String CUT =
            "\n(and so on; ?service=NAMESPACE/NAME shows what is of one Service)\n";

    private final Graphs graphs;
    private final Journal journal;
    private final Function<Family, Dataplane> renderers;
    private final IntConsumer verbosity;

    /// Writes a text until there is no room for more.
    private interface Printing {
        void to(Appendable out) throws IOException;
    }

    /// @param renderers gives dataplanes that nobody else has; no kernel is reached through them
    /// @param verbosity is told what the log should have from now on
    DebugPages(
            Graphs graphs,
            Journal journal,
            Function<Family, Dataplane> renderers,
            IntConsumer verbosity) {
        this.graphs = graphs;
        this.journal = journal;
        this.renderers = renderers;
        this.verbosity = verbosity;
    }

    @Override
    public Answer answer(Ask ask) {
        return switch (ask.path()) {
            case "/debug/graph" -> page(out -> printGraphs(service(ask), out));
            case "/debug/rules" ->
                    service(ask)
                            .map(service -> page(out -> printRules(service, out)))
                            .orElseGet(
                                    () ->
                                            Answer.text(
                                                    Answer.BAD_REQUEST,
                                                    "400 give ?service=NAMESPACE/NAME\n"));
            case "/debug/transactions" -> Answer.text(Answer.OK, journal.print());
            case VERBOSITY -> Answer.text(Answer.NOT_ACCEPTABLE, "unsupported http method\n");
            default -> Answer.notFound();
        };
    }

    /// Answers as the components of Kubernetes do.
    @Override
    public Answer put(Ask ask, String value) {
        if (!ask.path().equals(VERBOSITY)) {
            return Answer.readOnly();
        }
        if (!VERBOSITIES.matcher(value).matches()) {
            throw new IllegalArgumentException("\"" + value + "\" is no verbosity such as 4");
        }
        verbosity.accept(Integer.parseInt(value));
        return Answer.text(Answer.OK, "successfully set klog.logging.verbosity to " + value);
    }

    private static Optional<ServiceName> service(Ask ask) {
        String given = ask.parameters().getOrDefault(SERVICE, "");
        if (given.isEmpty()) {
            return Optional.empty();
        }
        String[] parts = given.split("/", -1);
        if (parts.length != 2) {
            throw new IllegalArgumentException("\"" + given + "\" is no NAMESPACE/NAME");
        }
        return Optional.of(new ServiceName(parts[0], parts[1]));
    }

    private static Answer page(Printing printing) {
        StringBuilder page = new StringBuilder();
        try {
            printing.to(new Excerpt(page, LONGEST));
        } catch (Excerpt.Full _) {
            page.append(CUT);
        } catch (IOException e) {
            throw new IllegalStateException("a StringBuilder does not fail", e);
        }
        return Answer.text(Answer.OK, page.toString());
    }

    private void printGraphs(Optional<ServiceName> service, Appendable out) throws IOException {
        Predicate<Treatment> wanted =
                treatment -> service.isEmpty() || service.get().equals(treatment.owner().service());
        for (RuleGraph graph : graphs.all()) {
            GraphText.print(graph, wanted, out);
        }
    }

    /// The transaction that would add the Service where all else is in place.
    private void printRules(ServiceName service, Appendable out) throws IOException {
        for (RuleGraph graph : graphs.all()) {
            RuleGraph without = graph.withoutHealthCheck(service);
            for (Map.Entry<Frontend, Treatment> entry : graph.frontends().entrySet()) {
                if (entry.getValue().owner().service().equals(service)) {
                    without = without.without(entry.getKey());
                }
            }
            out.append("# ").append(graph.family().title()).append('\n');
            try (Dataplane renderer = renderers.apply(graph.family())) {
                renderer.render(without, Delta.between(without, graph)).print(out);
            }
        }
    }
}
