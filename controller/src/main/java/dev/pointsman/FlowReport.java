package dev.pointsman;

import dev.pointsman.graph.Planner;
import dev.pointsman.packet.conntrack.FlowAudit;
import dev.pointsman.packet.conntrack.FlowTable;
import dev.pointsman.packet.conntrack.StaleFlow;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What verify says of a node's connections.
///
/// @param size entries that could be flows to Services
/// @param results one for each family
record FlowReport(
        FlowFile file, long size, FlowTable.LeftOut leftOut, List<FlowAudit.Result> results) {
    FlowReport {
        results = List.copyOf(results);
    }

    /// Empty without a file of connections.
    static Optional<FlowReport> of(FlowFile file, List<Planner> planners, Situation situation) {
        return file.open()
                .map(
                        opened -> {
                            try (FlowTable table = opened) {
                                List<FlowAudit.Result> results = new ArrayList<>();
                                for (Planner planner : planners) {
                                    results.add(
                                            new FlowAudit(
                                                            planner.graph(),
                                                            situation.node(),
                                                            situation.services())
                                                    .judge(table));
                                }
                                return new FlowReport(file, table.size(), table.leftOut(), results);
                            }
                        });
    }

    /// Whether no flow is left that a proxy has to delete.
    boolean isClean() {
        return kinds().stream().noneMatch(kind -> kind.stale().mustGo());
    }

    private List<FlowAudit.Kind> kinds() {
        return results.stream().flatMap(result -> result.kinds().stream()).toList();
    }

    private long flows() {
        return results.stream().mapToLong(FlowAudit.Result::flows).sum();
    }

    private long others() {
        return results.stream().mapToLong(FlowAudit.Result::others).sum();
    }

    void print(PrintWriter out, int most) {
        out.printf(
                "conntrack: %s; %,d flows, %,d of them to Services; left out: %,d of other zones,"
                        + " %,d without ports, %,d listed twice (%s)%n",
                isClean() ? "no stale UDP flow" : "stale flows",
                size,
                flows(),
                leftOut.zones(),
                leftOut.portless(),
                leftOut.doubled(),
                file);
        List<FlowAudit.Kind> kinds = kinds();
        for (FlowAudit.Kind kind : kinds.stream().limit(most).toList()) {
            StaleFlow stale = kind.stale();
            out.println("  Service " + stale.owner());
            out.printf(
                    "    flows     %,d of %s %s%s%n",
                    kind.flows(),
                    stale.owner().protocol().keyword(),
                    stale.words(),
                    stale.mustGo() ? "" : "; left to end by themselves");
            out.println(
                    "    first     "
                            + file.at(kind.first().line())
                            + ": "
                            + FlowText.of(kind.first()));
            if (stale.mustGo()) {
                out.println("    remedy    " + stale.remedy());
            }
        }
        int more = kinds.size() - most;
        if (more > 0) {
            out.printf("  and %,d more kinds; -o json has them all%n", more);
        }
        if (others() > 0) {
            out.printf("  and %,d flows of kinds too many to tell apart%n", others());
        }
    }

    Json json() {
        Map<String, Json> fields = new LinkedHashMap<>();
        fields.put("file", new Json.Text(file.toString()));
        fields.put("flows", new Json.Count(size));
        fields.put("flowsToServices", new Json.Count(flows()));
        fields.put("ofOtherZones", new Json.Count(leftOut.zones()));
        fields.put("withoutPorts", new Json.Count(leftOut.portless()));
        fields.put("listedTwice", new Json.Count(leftOut.doubled()));
        fields.put("stale", new Json.Array(kinds().stream().map(this::json).toList()));
        fields.put("notToldApart", new Json.Count(others()));
        return new Json.Fields(fields);
    }

    private Json json(FlowAudit.Kind kind) {
        StaleFlow stale = kind.stale();
        Map<String, Json> fields = new LinkedHashMap<>();
        fields.put("object", new Json.Text("Service " + stale.owner()));
        fields.put("protocol", new Json.Text(stale.owner().protocol().keyword()));
        fields.put("fault", new Json.Text(stale.fault().name()));
        fields.put("answeredBy", new Json.Text(Socket.spelt(stale.address(), stale.port())));
        fields.put("mustGo", new Json.Truth(stale.mustGo()));
        fields.put("flows", new Json.Count(kind.flows()));
        fields.put("where", new Json.Text(file.at(kind.first().line())));
        fields.put("first", new Json.Text(FlowText.of(kind.first())));
        fields.put("remedy", new Json.Text(stale.remedy()));
        return new Json.Fields(fields);
    }
}
