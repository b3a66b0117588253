package dev.pointsman;

import dev.pointsman.dataplane.Draining;
import dev.pointsman.dataplane.Mode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `pointsman get draining`.
@Command(
        name = "draining",
        description = {
            "Shows which real servers get no new connections in IPVS but still have some, as the"
                    + " kernel of this network namespace has it.",
            "ACTIVE connections are open; INACTIVE ones are being closed. A real server goes when"
                    + " it has neither, whether or not Pointsman was restarted meanwhile."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:shown",
            "2:bad usage",
            "3:the kernel cannot be reached, or has no IPVS",
        })
final class GetDrainingCommand implements Callable<Integer> {
    private final Surroundings around;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by default.")
    TableFormat output = TableFormat.table;

    GetDrainingCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        List<Draining> draining = new ArrayList<>();
        for (Mode mode : RuleOptions.sorted(around.modes().get())) {
            draining.addAll(mode.draining());
        }
        switch (output) {
            case table -> table(draining);
            case json -> json(draining).print(around.out());
        }
        return Exit.OK;
    }

    private void table(List<Draining> draining) {
        if (draining.isEmpty()) {
            around.err().println("no real server is draining");
            return;
        }
        Table table = new Table("VIRTUAL SERVER", "REAL SERVER", "ACTIVE", "INACTIVE");
        for (Draining each : draining) {
            table.row(
                    each.virtualServer(),
                    each.realServer(),
                    Long.toString(each.active()),
                    Long.toString(each.inactive()));
        }
        table.print(around.out());
    }

    private static Json json(List<Draining> draining) {
        Map<String, Json> document = FileOptions.document("DrainingList");
        List<Json> items = new ArrayList<>();
        for (Draining each : draining) {
            Map<String, Json> item = new LinkedHashMap<>();
            item.put("virtualServer", new Json.Text(each.virtualServer()));
            item.put("realServer", new Json.Text(each.realServer()));
            item.put("active", new Json.Count(each.active()));
            item.put("inactive", new Json.Count(each.inactive()));
            items.add(new Json.Fields(item));
        }
        document.put("items", new Json.Array(items));
        return new Json.Fields(document);
    }
}
