package dev.pointsman.nftables;

import dev.pointsman.graph.Family;
import dev.pointsman.netlink.NftChain;
import dev.pointsman.netlink.NftElement;
import dev.pointsman.netlink.NftHook;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Batches as a script for `nft -f`. A new table is printed whole, as `nft list ruleset` would list
/// it; changes are printed as commands.
final class Script {
    private static final String TABLE = NftablesDataplane.TABLE;

    private final Family family;
    private final Appendable out;

    private Script(Family family, Appendable out) {
        this.family = family;
        this.out = out;
    }

    static void print(List<Batch> batches, Family family, Appendable out) throws IOException {
        Script script = new Script(family, out);
        if (isNewTable(batches)) {
            script.listing(batches);
        } else {
            script.commands(batches);
        }
    }

    /// One operation in nft's words.
    static String text(Operation operation, Family family) {
        StringBuilder text = new StringBuilder();
        try {
            new Script(family, text).command(List.of(operation));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("a StringBuilder does not fail", e);
        }
        return text.toString().strip();
    }

    private static boolean isNewTable(List<Batch> batches) {
        return !batches.isEmpty()
                && batches.getFirst().operations().getFirst() instanceof Operation.AddTable
                && batches.stream()
                        .flatMap(batch -> batch.operations().stream())
                        .allMatch(
                                operation ->
                                        switch (operation) {
                                            case Operation.AddTable _,
                                                    Operation.AddSet _,
                                                    Operation.AddChain _,
                                                    Operation.AddRule _,
                                                    Operation.AddElement _ ->
                                                    true;
                                            case Operation.DeleteTable _,
                                                    Operation.DeleteSet _,
                                                    Operation.DeleteChain _,
                                                    Operation.FlushChain _,
                                                    Operation.DeleteElement _ ->
                                                    false;
                                        });
    }

    private String table() {
        return Field.ip(family) + " " + TABLE;
    }

    private void listing(List<Batch> batches) throws IOException {
        Map<String, NamedSet> sets = new LinkedHashMap<>();
        Map<String, List<NftElement>> elements = new LinkedHashMap<>();
        Map<String, Chain> chains = new LinkedHashMap<>();
        Map<String, List<Rule>> rules = new LinkedHashMap<>();
        for (Batch batch : batches) {
            for (Operation operation : batch.operations()) {
                switch (operation) {
                    case Operation.AddSet(var set, _) -> sets.put(set.name(), set);
                    case Operation.AddElement(var set, var content, _) ->
                            elements.computeIfAbsent(set.name(), _ -> new ArrayList<>())
                                    .add(content);
                    case Operation.AddChain(var chain, _) -> chains.put(chain.name(), chain);
                    case Operation.AddRule(String chain, var rule, _) ->
                            rules.computeIfAbsent(chain, _ -> new ArrayList<>()).add(rule);
                    case Operation.AddTable _,
                            Operation.DeleteTable _,
                            Operation.DeleteSet _,
                            Operation.DeleteChain _,
                            Operation.FlushChain _,
                            Operation.DeleteElement _ -> {}
                }
            }
        }
        out.append("table ").append(table()).append(" {\n");
        String separator = "";
        for (NamedSet set : sets.values()) {
            out.append(separator);
            separator = "\n";
            set(set, elements.getOrDefault(set.name(), List.of()));
        }
        for (Chain chain : chains.values()) {
            out.append(separator);
            separator = "\n";
            chain(chain, rules.getOrDefault(chain.name(), List.of()));
        }
        out.append("}\n");
    }

    private void set(NamedSet set, List<NftElement> elements) throws IOException {
        out.append("\t").append(set.keyword()).append(" ").append(set.name()).append(" {\n\t\t");
        out.append(set.declaration(family, "\n\t\t")).append("\n");
        if (!elements.isEmpty()) {
            List<NftElement> sorted = new ArrayList<>(elements);
            sorted.sort(ElementText.ORDER);
            out.append("\t\telements = { ");
            String separator = "";
            for (NftElement element : sorted) {
                out.append(separator).append(ElementText.of(set, element, family));
                separator = ",\n\t\t\t     ";
            }
            out.append(" }\n");
        }
        out.append("\t}\n");
    }

    private void chain(Chain chain, List<Rule> rules) throws IOException {
        out.append("\tchain ").append(chain.name()).append(" {\n");
        if (chain.hook() instanceof NftChain.Hook.Base base) {
            out.append("\t\t").append(hook(base)).append("\n");
        }
        for (Rule rule : rules) {
            out.append("\t\t").append(RuleText.of(rule, family)).append("\n");
        }
        out.append("\t}\n");
    }

    private static String hook(NftChain.Hook.Base base) {
        String hook =
                switch (base.hooknum()) {
                    case NftHook.PREROUTING -> "prerouting";
                    case NftHook.INPUT -> "input";
                    case NftHook.FORWARD -> "forward";
                    case NftHook.OUTPUT -> "output";
                    case NftHook.POSTROUTING -> "postrouting";
                    default -> throw new IllegalArgumentException("no hook has number " + base);
                };
        return "type "
                + base.type()
                + " hook "
                + hook
                + " priority "
                + priority(base)
                + "; policy accept;";
    }

    /// nft names the priorities of the classic tables, each only in the hooks that had it.
    private static String priority(NftChain.Hook.Base base) {
        int priority = base.priority();
        if (priority == 0) {
            return "filter";
        }
        if (base.hooknum() == NftHook.PREROUTING && priority == -100) {
            return "dstnat";
        }
        if (base.hooknum() == NftHook.PREROUTING && priority == -110) {
            return "dstnat - 10";
        }
        if (base.hooknum() == NftHook.POSTROUTING && priority == 100) {
            return "srcnat";
        }
        return Integer.toString(priority);
    }

    private void commands(List<Batch> batches) throws IOException {
        for (int i = 0; i < batches.size(); i++) {
            if (i > 0) {
                out.append("\n# ").append(when(batches.get(i).start())).append(":\n");
            }
            List<Operation> run = new ArrayList<>();
            for (Operation operation : batches.get(i).operations()) {
                if (!run.isEmpty() && !continues(run.getLast(), operation)) {
                    command(run);
                    run.clear();
                }
                run.add(operation);
            }
            command(run);
        }
    }

    private static String when(Batch.Start start) {
        return switch (start) {
            case AT_ONCE -> "only when the above is in effect";
            case AFTER_PACKETS ->
                    "only when the above is in effect and packets under way are through";
        };
    }

    /// Whether both can be said in one command.
    private static boolean continues(Operation earlier, Operation later) {
        if (earlier instanceof Operation.AddElement one
                && later instanceof Operation.AddElement other) {
            return one.set().name().equals(other.set().name());
        }
        return earlier instanceof Operation.DeleteElement one
                && later instanceof Operation.DeleteElement other
                && one.set().name().equals(other.set().name());
    }

    private void command(List<Operation> run) throws IOException {
        switch (run.getFirst()) {
            case Operation.AddTable _ -> line("add table " + table());
            case Operation.DeleteTable _ -> line("delete table " + table());
            case Operation.AddSet(var set, _) ->
                    line(
                            "add "
                                    + set.keyword()
                                    + " "
                                    + table()
                                    + " "
                                    + set.name()
                                    + " { "
                                    + set.declaration(family, "; ")
                                    + "; }");
            case Operation.DeleteSet(String name, _) -> line("delete set " + table() + " " + name);
            case Operation.AddChain(var chain, _) ->
                    line(
                            "add chain "
                                    + table()
                                    + " "
                                    + chain.name()
                                    + (chain.hook() instanceof NftChain.Hook.Base base
                                            ? " { " + hook(base) + " }"
                                            : ""));
            case Operation.DeleteChain(String name, _) ->
                    line("delete chain " + table() + " " + name);
            case Operation.FlushChain(String name, _) ->
                    line("flush chain " + table() + " " + name);
            case Operation.AddRule(String chain, var rule, _) ->
                    line("add rule " + table() + " " + chain + " " + RuleText.of(rule, family));
            case Operation.AddElement(var set, _, _) -> elements("add", set, run);
            case Operation.DeleteElement(var set, _, _) -> elements("delete", set, run);
        }
    }

    private void elements(String verb, NamedSet set, List<Operation> run) throws IOException {
        out.append(verb).append(" element ").append(table()).append(" ").append(set.name());
        boolean one = run.size() == 1;
        String separator = one ? " { " : " {\n\t";
        for (Operation operation : run) {
            out.append(separator).append(element(operation));
            separator = ",\n\t";
        }
        out.append(one ? " }\n" : "\n}\n");
    }

    private String element(Operation operation) {
        return switch (operation) {
            case Operation.AddElement(var set, var content, _) ->
                    ElementText.of(set, content, family);
            case Operation.DeleteElement(var set, var content, _) ->
                    ElementText.key(set, content, family);
            case Operation.AddTable _,
                    Operation.DeleteTable _,
                    Operation.AddSet _,
                    Operation.DeleteSet _,
                    Operation.AddChain _,
                    Operation.DeleteChain _,
                    Operation.FlushChain _,
                    Operation.AddRule _ ->
                    throw new IllegalArgumentException("no element: " + operation);
        };
    }

    private void line(String text) throws IOException {
        out.append(text).append("\n");
    }
}
