package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Chain;
import dev.pointsman.packet.netfilter.Hook;
import dev.pointsman.packet.netfilter.Rule;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// Reads what `iptables-save` and `ip6tables-save` print, of either variant and with or without
/// counters, and the scripts for `iptables-restore` that add to an empty kernel. Line by line:
/// hundreds of thousands of rules are nothing unusual.
///
/// Tables and hooks are those of iptables(8), priorities those of netfilter_ipv4.h.
public final class IptablesSaveReader {
    private static final String INCOMPATIBLE = "is incompatible, use 'nft' tool.";

    private final Family family;
    private final RuleParts makes;
    private final SequencedMap<String, DraftTable> tables = new LinkedHashMap<>();
    private final List<Ruleset.Unread> unread = new ArrayList<>();
    private Optional<DraftTable> table = Optional.empty();
    private int number;

    private IptablesSaveReader(Family family, Ipsets ipsets) {
        this.family = family;
        makes =
                new RuleParts(
                        family,
                        ipsets,
                        new SharedSteps(),
                        set -> table.ifPresent(current -> current.include(set)));
    }

    /// What a kernel holds of `family`.
    ///
    /// @param ipsets what `-m set` looks into; rules that use others are not trusted
    /// @throws SyntaxException where the text is not that of iptables-save, or ends too early
    /// @throws UncheckedIOException when `text` cannot be read
    public static Ruleset read(Reader text, Family family, Ipsets ipsets) {
        IptablesSaveReader reader = new IptablesSaveReader(family, ipsets);
        try (BufferedReader lines = new BufferedReader(text)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                reader.number++;
                reader.line(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (reader.table.isPresent()) {
            throw new SyntaxException(reader.number + 1, 1, "expected COMMIT, found the end");
        }
        return new Ruleset(
                reader.tables.values().stream().map(DraftTable::finished).toList(), reader.unread);
    }

    /// As above, of a text without ipsets.
    public static Ruleset read(String text, Family family) {
        return read(new StringReader(text), family, Ipsets.NONE);
    }

    private void line(String text) {
        if (text.isBlank()) {
            return;
        }
        switch (text.charAt(0)) {
            case '#' -> remark(text);
            case '*' -> {
                if (table.isPresent()) {
                    throw new SyntaxException(number, 1, "expected COMMIT, found " + text);
                }
                table = Optional.of(begin(text.substring(1).strip()));
            }
            default -> {
                if (table.isEmpty()) {
                    throw new SyntaxException(number, 1, "expected a table, found " + text);
                }
                inside(table.get(), text);
            }
        }
    }

    /// iptables-nft-save says so of tables that nft wrote and it cannot show.
    private void remark(String text) {
        if (text.endsWith(INCOMPATIBLE)) {
            unread.add(new Ruleset.Unread(number, text.substring(1).strip()));
        }
    }

    private DraftTable begin(String name) {
        switch (name) {
            case "raw", "mangle", "nat", "filter", "security" -> {}
            default ->
                    throw new SyntaxException(
                            number, 2, "expected a table of iptables, found " + name);
        }
        Table.Scope scope =
                switch (family) {
                    case IPV4 -> Table.Scope.IP;
                    case IPV6 -> Table.Scope.IP6;
                };
        return tables.computeIfAbsent(name, _ -> new DraftTable(scope, name));
    }

    private void inside(DraftTable current, String text) {
        SavedLine line = new SavedLine(number, text);
        String first = line.next("a rule");
        if (first.startsWith("[")) {
            // Counters.
            first = line.next("-A");
        }
        switch (first) {
            case "COMMIT" -> {
                table = Optional.empty();
                line.end("the line");
            }
            case "-A", "--append" -> {
                DraftChain chain = known(current, line);
                chain.append(rule(current, line, text));
            }
            case "-I", "--insert" -> {
                DraftChain chain = known(current, line);
                int place = line.isAtOption() ? 1 : (int) line.number(chain.size() + 1L);
                if (place == 0) {
                    throw line.wrong("a place from 1");
                }
                chain.insert(place, rule(current, line, text));
            }
            case "-N", "--new-chain" -> {
                current.makeChain(line.next("a chain"));
                line.end("the line");
            }
            case "-F", "--flush" -> {
                known(current, line).flush();
                line.end("the line");
            }
            case "-X", "--delete-chain" -> {
                current.removeChain(line.next("a chain"));
                line.end("the line");
            }
            case "-P", "--policy" -> {
                String name = line.next("a chain");
                declare(current, name, line);
            }
            default -> {
                if (!first.startsWith(":")) {
                    throw line.wrong("a chain, a rule or COMMIT");
                }
                declare(current, first.substring(1), line);
            }
        }
    }

    private Rule rule(DraftTable current, SavedLine line, String text) {
        return new IptablesRule(line, makes, name -> current.chain(name).isPresent())
                .read(text.startsWith("[") ? text.substring(text.indexOf(']') + 1).strip() : text);
    }

    /// A chain that was declared before, or one that the kernel has without: a script for
    /// `iptables-restore` adds to it and leaves its policy alone.
    private static DraftChain known(DraftTable current, SavedLine line) {
        String name = line.next("a chain");
        Optional<DraftChain> declared = current.chain(name);
        if (declared.isPresent()) {
            return declared.get();
        }
        if (!isBuiltIn(current.name(), name)) {
            throw line.wrong("a chain that was declared before");
        }
        DraftChain chain = current.makeChain(name);
        chain.attach(hooked(current.name(), name, Chain.Policy.ACCEPT, line));
        return chain;
    }

    private static boolean isBuiltIn(String table, String chain) {
        return switch (chain) {
            case "PREROUTING" -> !table.equals("filter") && !table.equals("security");
            case "INPUT" -> !table.equals("raw");
            case "OUTPUT" -> true;
            case "FORWARD" -> !table.equals("raw") && !table.equals("nat");
            case "POSTROUTING" -> table.equals("nat") || table.equals("mangle");
            default -> false;
        };
    }

    /// `:NAME POLICY [packets:bytes]`; a chain that others call has `-` for a policy.
    private void declare(DraftTable current, String name, SavedLine line) {
        String policy = line.next("a policy");
        DraftChain chain = current.makeChain(name);
        // Without --noflush, and with it as well, restoring a chain empties it.
        chain.flush();
        if (policy.equals("-")) {
            endOfDeclaration(line);
            return;
        }
        Chain.Policy judged =
                switch (policy) {
                    case "ACCEPT" -> Chain.Policy.ACCEPT;
                    case "DROP" -> Chain.Policy.DROP;
                    default -> throw line.wrong("ACCEPT, DROP or -");
                };
        chain.attach(hooked(current.name(), name, judged, line));
        endOfDeclaration(line);
    }

    private static void endOfDeclaration(SavedLine line) {
        if (line.peek().startsWith("[")) {
            line.next("counters");
        }
        line.end("the line");
    }

    private static Chain.Attachment.Hooked hooked(
            String table, String chain, Chain.Policy policy, SavedLine line) {
        Hook hook =
                switch (chain) {
                    case "PREROUTING" -> Hook.PREROUTING;
                    case "INPUT" -> Hook.INPUT;
                    case "FORWARD" -> Hook.FORWARD;
                    case "OUTPUT" -> Hook.OUTPUT;
                    case "POSTROUTING" -> Hook.POSTROUTING;
                    default -> throw line.wrong("- for the policy of " + chain);
                };
        int priority =
                switch (table) {
                    case "raw" -> -300;
                    case "mangle" -> -150;
                    case "security" -> 50;
                    case "nat" -> hook == Hook.PREROUTING || hook == Hook.OUTPUT ? -100 : 100;
                    default -> 0;
                };
        Chain.Type type =
                switch (table) {
                    case "nat" -> Chain.Type.NAT;
                    case "mangle" -> hook == Hook.OUTPUT ? Chain.Type.ROUTE : Chain.Type.FILTER;
                    default -> Chain.Type.FILTER;
                };
        return new Chain.Attachment.Hooked(type, hook, priority, policy);
    }
}
