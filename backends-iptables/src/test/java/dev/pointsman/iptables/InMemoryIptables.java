package dev.pointsman.iptables;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The tables of a kernel behind a strict `iptables-restore --noflush`: it takes what the real one
/// takes and is as particular about chains that do not exist or are still used. Each table of an
/// input is taken as a whole or not at all.
final class InMemoryIptables {
    private static final Map<Table, List<String>> BUILT_IN =
            Map.of(
                    Table.MANGLE,
                    List.of("PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING"),
                    Table.FILTER,
                    List.of("INPUT", "FORWARD", "OUTPUT"),
                    Table.NAT,
                    List.of("PREROUTING", "INPUT", "OUTPUT", "POSTROUTING"));

    private static final Set<String> TARGETS =
            Set.of("RETURN", "ACCEPT", "DROP", "REJECT", "DNAT", "MASQUERADE", "MARK");

    /// Every condition that the real program knows, with its values.
    private static final Pattern CONDITION =
            Pattern.compile(
                    "(?:! )?-[sd] [0-9a-f.:]+/\\d+"
                            + "|(?:! )?-i [^ ]+"
                            + "|-p (?:tcp|udp|sctp)"
                            + "|-m (?:tcp|udp|sctp) --dport \\d+(?::\\d+)?"
                            + "|-m comment --comment \"[^\"]{1,255}\""
                            + "|-m conntrack (?:! )?--ctstate [A-Z,]+"
                            + "|-m conntrack --ctorigdst [0-9a-f.:]+/\\d+"
                            + "|-m mark (?:! )?--mark 0x[0-9a-f]+/0x[0-9a-f]+"
                            + "|-m addrtype (?:! )?--(?:src|dst)-type LOCAL(?: --limit-iface-in)?"
                            + "|-m statistic --mode random --probability 0\\.\\d{10}"
                            + "|-m recent --rcheck --seconds \\d+ --reap --name [^ ]+"
                            + " --mask [0-9a-f.:]+ --rsource"
                            + "|-m recent --set --name [^ ]+ --mask [0-9a-f.:]+ --rsource");

    /// The input is refused.
    static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RefusedException(int line, String why) {
            super("line " + line + " failed: " + why);
        }
    }

    private Map<Table, Map<String, List<String>>> tables = new TreeMap<>();

    InMemoryIptables() {
        BUILT_IN.forEach(
                (table, chains) -> {
                    Map<String, List<String>> empty = new LinkedHashMap<>();
                    chains.forEach(chain -> empty.put(chain, new ArrayList<>()));
                    tables.put(table, empty);
                });
    }

    /// @param failing number of the line that is refused whatever it says; 0 for none
    void restore(String input, int failing) {
        Map<Table, Map<String, List<String>>> draft = copy(tables);
        Table table = Table.MANGLE;
        int number = 0;
        for (String line : input.lines().toList()) {
            number++;
            if (number == failing) {
                throw new RefusedException(number, "as told");
            }
            Map<String, List<String>> chains = draft.getOrDefault(table, Map.of());
            if (line.startsWith("*")) {
                table = Table.valueOf(line.substring(1).toUpperCase(Locale.ROOT));
            } else if (line.equals("COMMIT")) {
                checkReferences(number, chains);
                tables = draft;
                draft = copy(tables);
            } else {
                apply(number, line, chains);
            }
        }
    }

    private static Map<Table, Map<String, List<String>>> copy(
            Map<Table, Map<String, List<String>>> tables) {
        Map<Table, Map<String, List<String>>> copy = new TreeMap<>();
        tables.forEach(
                (table, chains) -> {
                    Map<String, List<String>> copied = new LinkedHashMap<>();
                    chains.forEach((name, rules) -> copied.put(name, new ArrayList<>(rules)));
                    copy.put(table, copied);
                });
        return copy;
    }

    private static void apply(int number, String line, Map<String, List<String>> chains) {
        String[] words = line.split(" ", 3);
        switch (words[0]) {
            case "-A" -> {
                checkRule(number, words[2]);
                chain(number, words[1], chains).add(words[2]);
            }
            case "-I" -> {
                String[] rest = words[2].split(" ", 2);
                checkRule(number, rest[1]);
                List<String> rules = chain(number, words[1], chains);
                int place = Integer.parseInt(rest[0]);
                if (place > rules.size() + 1) {
                    throw new RefusedException(number, "index of insertion too big");
                }
                rules.add(place - 1, rest[1]);
            }
            case "-D" -> {
                String form = RuleForm.of(words[2]);
                List<String> rules = chain(number, words[1], chains);
                int at = rules.stream().map(RuleForm::of).toList().indexOf(form);
                if (at < 0) {
                    throw new RefusedException(number, "no such rule");
                }
                rules.remove(at);
            }
            case "-X" -> {
                if (!chain(number, words[1], chains).isEmpty()) {
                    throw new RefusedException(number, "chain is not empty");
                }
                chains.remove(words[1]);
                if (isUsed(words[1], chains)) {
                    throw new RefusedException(number, "chain is used");
                }
            }
            default -> declare(number, line, chains);
        }
    }

    private static void declare(int number, String line, Map<String, List<String>> chains) {
        if (!line.matches(":[^ ]{1,28} - \\[0:0]")) {
            throw new RefusedException(number, "what is " + line);
        }
        chains.put(line.substring(1, line.indexOf(' ')), new ArrayList<>());
    }

    private static List<String> chain(int number, String name, Map<String, List<String>> chains) {
        List<String> rules = chains.get(name);
        if (rules == null) {
            throw new RefusedException(number, "no chain " + name);
        }
        return rules;
    }

    private static void checkRule(int number, String rule) {
        int target = rule.startsWith("-j ") ? 0 : rule.lastIndexOf(" -j ");
        if (target < 0) {
            throw new RefusedException(number, "no target in " + rule);
        }
        String left = rule.substring(0, target);
        while (!left.isEmpty()) {
            var matcher = CONDITION.matcher(left);
            if (!matcher.lookingAt()) {
                throw new RefusedException(number, "bad argument " + left);
            }
            left = left.substring(matcher.end()).stripLeading();
        }
    }

    private static void checkReferences(int number, Map<String, List<String>> chains) {
        chains.forEach(
                (chain, rules) ->
                        rules.forEach(
                                rule -> {
                                    String target = target(rule);
                                    if (!TARGETS.contains(target) && !chains.containsKey(target)) {
                                        throw new RefusedException(
                                                number, chain + " leads to missing " + target);
                                    }
                                }));
    }

    private static boolean isUsed(String chain, Map<String, List<String>> chains) {
        return chains.values().stream()
                .flatMap(List::stream)
                .anyMatch(rule -> target(rule).equals(chain));
    }

    private static String target(String rule) {
        return rule.substring(rule.lastIndexOf("-j ") + 3).split(" ", 2)[0];
    }

    /// What `iptables-save` prints.
    String save() {
        StringBuilder text = new StringBuilder();
        tables.forEach(
                (table, chains) -> {
                    text.append("*").append(table.keyword()).append('\n');
                    chains.keySet()
                            .forEach(
                                    name ->
                                            text.append(':')
                                                    .append(name)
                                                    .append(
                                                            isBuiltIn(table, name)
                                                                    ? " ACCEPT"
                                                                    : " -")
                                                    .append(" [0:0]\n"));
                    chains.forEach(
                            (name, rules) ->
                                    rules.forEach(
                                            rule ->
                                                    text.append("-A ")
                                                            .append(name)
                                                            .append(' ')
                                                            .append(rule)
                                                            .append('\n')));
                    text.append("COMMIT\n");
                });
        return text.toString();
    }

    /// All chains with their rules, sorted; the rules of built-in chains, where only jumps of ours
    /// stand, sorted too.
    Map<String, List<String>> chains() {
        Map<String, List<String>> all = new TreeMap<>();
        tables.forEach(
                (table, chains) ->
                        chains.forEach(
                                (name, rules) ->
                                        all.put(
                                                table + " " + name,
                                                isBuiltIn(table, name)
                                                        ? rules.stream().sorted().toList()
                                                        : List.copyOf(rules))));
        return all;
    }

    private static boolean isBuiltIn(Table table, String chain) {
        return BUILT_IN.getOrDefault(table, List.of()).contains(chain);
    }
}
