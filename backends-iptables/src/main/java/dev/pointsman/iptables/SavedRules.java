package dev.pointsman.iptables;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// What `iptables-save` printed of our chains and of the jumps into them. Of other chains nothing
/// is kept but that they lead to ours.
final class SavedRules {

    /// A rule in a built-in chain that leads to one of ours.
    ///
    /// @param rule as printed, without the chain
    record FoundJump(Table table, String from, String rule) {
        boolean isLike(Jump jump) {
            return table == jump.table()
                    && from.equals(jump.from())
                    && jump.rule().isPrintedAs(rule);
        }

        /// Whether only Pointsman makes one like it.
        boolean isOursAlone() {
            return ChainNames.isOursAlone(new Chain.Key(table, target(rule)))
                    || table == Table.FILTER
                            && from.equals("INPUT")
                            && target(rule).equals(ChainNames.SERVICES);
        }

        /// Whether it may be kubelet's.
        boolean isShared() {
            return target(rule).equals(ChainNames.FIREWALL);
        }
    }

    /// How a chain stands in the kernel.
    enum Comparison {
        MISSING,
        DIFFERENT,
        EQUAL
    }

    private static final Set<String> BUILT_IN =
            Set.of("PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING");

    private final Map<Chain.Key, List<String>> chains = new HashMap<>();
    private final List<FoundJump> jumps = new ArrayList<>();
    private final Set<Chain.Key> usedByOthers = new HashSet<>();

    private SavedRules() {}

    static SavedRules read(String saved) {
        SavedRules rules = new SavedRules();
        Optional<Table> table = Optional.empty();
        for (String line : (Iterable<String>) saved.lines()::iterator) {
            if (line.startsWith("*")) {
                table = table(line.substring(1));
            } else if (table.isPresent() && line.startsWith(":")) {
                rules.declare(new Chain.Key(table.get(), upToSpace(line, 1)));
            } else if (table.isPresent() && line.startsWith("-A ")) {
                String chain = upToSpace(line, 3);
                rules.add(
                        new Chain.Key(table.get(), chain),
                        line.substring(Math.min(line.length(), 4 + chain.length())));
            }
        }
        return rules;
    }

    /// The keys of our chains, without those that we share.
    Set<Chain.Key> chains() {
        Set<Chain.Key> ours = new HashSet<>(chains.keySet());
        ours.removeIf(key -> !ChainNames.isOurs(key.name()));
        return ours;
    }

    /// Whether Pointsman wrote these chains: kube-proxy's canaries are empty.
    boolean hasOurCanary() {
        return Stream.of(Table.values())
                .map(table -> chains.get(new Chain.Key(table, ChainNames.CANARY)))
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .anyMatch(rule -> rule.contains(NodePart.CANARY_REMARK));
    }

    /// Whether kube-proxy has written since: it makes this chain at every start, and no repair of
    /// ours leaves it.
    boolean hasChainsOfKubeProxy() {
        return chains.containsKey(new Chain.Key(Table.FILTER, ChainNames.PROXY_FIREWALL));
    }

    /// The part with these chains and jumps.
    SavedRules part(Predicate<Chain.Key> ofChains, Predicate<FoundJump> ofJumps) {
        SavedRules part = new SavedRules();
        chains.forEach(
                (key, rules) -> {
                    if (ofChains.test(key)) {
                        part.chains.put(key, rules);
                    }
                });
        jumps.stream().filter(ofJumps).forEach(part.jumps::add);
        usedByOthers.stream().filter(ofChains).forEach(part.usedByOthers::add);
        return part;
    }

    /// Jumps into our chains and the shared one.
    List<FoundJump> jumps() {
        return List.copyOf(jumps);
    }

    /// Whether a chain that is neither ours nor built in leads there, so that it cannot go.
    boolean isUsedByOthers(Chain.Key key) {
        return usedByOthers.contains(key);
    }

    Comparison comparedWith(Chain chain) {
        List<String> found = chains.get(chain.key());
        if (found == null) {
            return Comparison.MISSING;
        }
        List<Rule> wanted = chain.rules();
        if (chain.name().equals(ChainNames.FIREWALL)) {
            return wanted.stream().allMatch(rule -> found.stream().anyMatch(rule::isPrintedAs))
                    ? Comparison.EQUAL
                    : Comparison.DIFFERENT;
        }
        if (found.size() != wanted.size()) {
            return Comparison.DIFFERENT;
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (!wanted.get(i).isPrintedAs(found.get(i))) {
                return Comparison.DIFFERENT;
            }
        }
        return Comparison.EQUAL;
    }

    private void declare(Chain.Key key) {
        if (isRead(key.name())) {
            chains.putIfAbsent(key, new ArrayList<>());
        }
    }

    private void add(Chain.Key key, String rule) {
        if (isRead(key.name())) {
            chains.computeIfAbsent(key, _ -> new ArrayList<>()).add(rule);
            return;
        }
        String target = target(rule);
        if (!isRead(target)) {
            return;
        }
        if (BUILT_IN.contains(key.name())) {
            jumps.add(new FoundJump(key.table(), key.name(), rule));
        } else {
            usedByOthers.add(new Chain.Key(key.table(), target));
        }
    }

    private static boolean isRead(String name) {
        return ChainNames.isOurs(name) || name.equals(ChainNames.FIREWALL);
    }

    /// Remarks and prefixes of log lines may hold such words, too, but in quotes with others.
    private static String target(String rule) {
        List<String> words = RuleForm.words(rule);
        for (int i = 0; i + 1 < words.size(); i++) {
            if (words.get(i).equals("-j") || words.get(i).equals("-g")) {
                return words.get(i + 1);
            }
        }
        return "";
    }

    private static Optional<Table> table(String keyword) {
        for (Table table : Table.values()) {
            if (table.keyword().equals(keyword)) {
                return Optional.of(table);
            }
        }
        return Optional.empty();
    }

    private static String upToSpace(String line, int start) {
        int end = line.indexOf(' ', start);
        return end < 0 ? line.substring(start) : line.substring(start, end);
    }
}
