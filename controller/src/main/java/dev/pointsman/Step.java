package dev.pointsman;

import dev.pointsman.dataplane.Mode;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Change;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServicePortName;
import dev.pointsman.graph.Treatment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// What takes one family from one graph to the next, ready to be shown.
record Step(RuleGraph before, Delta delta, Transaction transaction) {
    private record Use(ServicePortName owner, Endpoint endpoint) {}

    static Step of(Mode mode, RuleGraph before, Delta delta) {
        try (var dataplane = mode.dataplane(before.family())) {
            return new Step(before, delta, dataplane.render(before, delta));
        }
    }

    Family family() {
        return before.family();
    }

    RuleGraph after() {
        return transaction.target();
    }

    void print(PrintWriter out) {
        try {
            transaction.print(out);
        } catch (IOException e) {
            throw new UncheckedIOException("a PrintWriter does not fail", e);
        }
    }

    int frontendsAdded() {
        return count(Change.Added.class);
    }

    int frontendsRemoved() {
        return count(Change.Removed.class);
    }

    int frontendsChanged() {
        return count(Change.Replaced.class);
    }

    int endpointsAdded() {
        return without(uses(after()), uses(before));
    }

    int endpointsRemoved() {
        return without(uses(before), uses(after()));
    }

    /// Endpoints in use, each counted once for every ServicePort.
    int endpoints() {
        return uses(after()).size();
    }

    /// The fields that every JSON document has of a family.
    Map<String, Json> json() {
        Map<String, Json> fields = new LinkedHashMap<>();
        fields.put("family", new Json.Text(family().title()));
        return fields;
    }

    /// The size of the transaction and its text.
    void putScript(Map<String, Json> fields) {
        fields.put("rules", new Json.Count(transaction.size().rules()));
        fields.put("elements", new Json.Count(transaction.size().elements()));
        fields.put("script", new Json.Text(transaction.text()));
    }

    private int count(Class<?> kind) {
        return (int) delta.frontends().values().stream().filter(kind::isInstance).count();
    }

    private static int without(Set<Use> some, Set<Use> others) {
        return (int) some.stream().filter(use -> !others.contains(use)).count();
    }

    private static Set<Use> uses(RuleGraph graph) {
        Set<Use> uses = new HashSet<>();
        for (Treatment treatment : graph.frontends().values()) {
            for (Pool pool : treatment.pools()) {
                pool.endpoints().forEach(endpoint -> uses.add(new Use(pool.owner(), endpoint)));
            }
        }
        return uses;
    }
}
