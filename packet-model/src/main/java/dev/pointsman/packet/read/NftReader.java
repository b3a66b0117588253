package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Chain;
import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Hook;
import dev.pointsman.packet.netfilter.Rule;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Supplier;

/// Reads nft's language: what `nft list ruleset` prints (versions 1.0.6 to 1.1), and scripts for
/// `nft -f`, whose commands are carried out on an empty kernel.
public final class NftReader {
    private static final Map<String, Integer> PRIORITIES =
            Map.of(
                    "raw", -300,
                    "mangle", -150,
                    "dstnat", -100,
                    "filter", 0,
                    "security", 50,
                    "srcnat", 100);

    private record TableName(Table.Scope scope, String name) {}

    private final NftTokens tokens;
    private final SequencedMap<TableName, DraftTable> tables = new LinkedHashMap<>();
    private final List<Ruleset.Unread> unread = new ArrayList<>();

    private NftReader(String text) {
        tokens = new NftTokens(text);
    }

    /// What a kernel would hold after `text`.
    ///
    /// @throws SyntaxException where the text is not nft's, or a command is none that builds rules
    public static Ruleset read(String text) {
        NftReader reader = new NftReader(text);
        try {
            reader.commands();
        } catch (NotUnderstood e) {
            Token at = reader.tokens.peek();
            throw new SyntaxException(at.line(), at.column(), "not understood: " + e.getMessage());
        }
        return new Ruleset(
                reader.tables.values().stream().map(DraftTable::finished).toList(), reader.unread);
    }

    private void commands() {
        while (true) {
            tokens.skipSeparators();
            if (tokens.peek().kind() == Token.Kind.END) {
                return;
            }
            command();
            if (!tokens.atEndOfStatement() || tokens.peek().is("}")) {
                throw tokens.peek().unexpected("the end of the command");
            }
        }
    }

    private void command() {
        Token verb = tokens.next();
        switch (verb.text()) {
            case "table" -> table();
            case "add", "create" -> add(tokens.next());
            case "insert" -> {
                tokens.expect("rule");
                DraftTable table = namedTable();
                DraftChain chain = knownChain(table);
                chain.insert(1, new NftRules(tokens, table).rule());
            }
            case "delete", "destroy" -> delete(tokens.next());
            case "flush" -> flush(tokens.next());
            default -> throw verb.unexpected("a command that builds rules");
        }
    }

    private void add(Token kind) {
        switch (kind.text()) {
            case "table" -> table();
            case "chain" -> {
                DraftTable table = namedTable();
                chain(table.makeChain(name()), table);
            }
            case "set" -> {
                DraftTable table = namedTable();
                set(table.makeSet(name()), table, new DraftSet.Result.Nothing());
            }
            case "map" -> {
                DraftTable table = namedTable();
                set(table.makeSet(name()), table, new DraftSet.Result.Verdicts());
            }
            case "rule" -> {
                DraftTable table = namedTable();
                knownChain(table).append(new NftRules(tokens, table).rule());
            }
            case "element" -> {
                DraftSet set = knownSet(namedTable());
                elements(set);
            }
            case "counter", "quota", "limit", "flowtable", "ct", "secmark", "synproxy" ->
                    tokens.skipStatement(tokens.depth());
            default -> throw kind.unexpected("something to add");
        }
    }

    private void delete(Token kind) {
        switch (kind.text()) {
            case "table" -> {
                Table.Scope scope = scope();
                tables.remove(new TableName(scope, name()));
            }
            case "chain" -> namedTable().removeChain(name());
            case "set", "map" -> namedTable().removeSet(name());
            case "element" -> {
                DraftSet set = knownSet(namedTable());
                if (set.isOpaque()) {
                    tokens.skipBlock();
                    return;
                }
                new NftElements(tokens, set.key())
                        .read(set.result(), set.timeout(), element -> set.remove(element.key()));
            }
            default -> throw kind.unexpected("something to delete by name");
        }
    }

    private void flush(Token kind) {
        switch (kind.text()) {
            case "ruleset" -> {
                tokens.skipStatement(tokens.depth());
                tables.clear();
            }
            case "table" -> namedTable().flush();
            case "chain" -> knownChain(namedTable()).flush();
            case "set", "map" -> knownSet(namedTable()).clear();
            default -> throw kind.unexpected("something to flush");
        }
    }

    private String name() {
        return tokens.word("a name").text();
    }

    /// The family, `ip` where none is given.
    private Table.Scope scope() {
        Token word = tokens.peek();
        if (word.is("arp") || word.is("bridge") || word.is("netdev")) {
            throw word.unexpected("a table of family ip, ip6 or inet");
        }
        for (Table.Scope scope : Table.Scope.values()) {
            if (word.is(scope.keyword())) {
                tokens.next();
                return scope;
            }
        }
        return Table.Scope.IP;
    }

    /// A table that a command names.
    private DraftTable namedTable() {
        Table.Scope scope = scope();
        Token name = tokens.word("a table");
        DraftTable table = tables.get(new TableName(scope, name.text()));
        if (table == null) {
            throw name.unexpected("a table that was added before");
        }
        return table;
    }

    private DraftChain knownChain(DraftTable table) {
        Token name = tokens.word("a chain");
        return table.chain(name.text())
                .orElseThrow(() -> name.unexpected("a chain that was added before"));
    }

    private DraftSet knownSet(DraftTable table) {
        Token name = tokens.word("a set");
        return table.set(name.text())
                .orElseThrow(() -> name.unexpected("a set that was added before"));
    }

    private void table() {
        Token family = tokens.peek();
        if (family.is("arp") || family.is("bridge") || family.is("netdev")) {
            elsewhere();
            return;
        }
        Table.Scope scope = scope();
        String name = name();
        DraftTable table =
                tables.computeIfAbsent(
                        new TableName(scope, name), _ -> new DraftTable(scope, name));
        if (!tokens.accept("{")) {
            return;
        }
        tokens.skipSeparators();
        while (!tokens.accept("}")) {
            part(table);
            tokens.skipSeparators();
        }
    }

    /// A table of another family. Those of ARP concern no IP packet.
    private void elsewhere() {
        Token family = tokens.next();
        String name = name();
        if (tokens.peek().is("{")) {
            tokens.skipBlock();
        }
        if (!family.is("arp")) {
            unread.add(
                    new Ruleset.Unread(
                            family.line(),
                            "table " + family.text() + " " + name + " is not modelled"));
        }
    }

    private void part(DraftTable table) {
        Token kind = tokens.next();
        switch (kind.text()) {
            case "chain" -> chain(table.makeChain(name()), table);
            case "set" -> set(table.makeSet(name()), table, new DraftSet.Result.Nothing());
            case "map" -> set(table.makeSet(name()), table, new DraftSet.Result.Verdicts());
            case "flags" -> tableFlags(table);
            case "comment" -> tokens.word("a comment");
            // What refers to one of these is not understood where it does.
            case "flowtable", "counter", "quota", "limit", "secmark", "synproxy" -> {
                name();
                tokens.skipBlock();
            }
            case "ct" -> {
                tokens.word("helper, timeout or expectation");
                name();
                tokens.skipBlock();
            }
            default -> throw kind.unexpected("a chain, set, map or other part of a table");
        }
    }

    private void tableFlags(DraftTable table) {
        do {
            if (tokens.word("a flag").is("dormant")) {
                table.sleep();
            }
        } while (tokens.accept(","));
    }

    private void chain(DraftChain chain, DraftTable table) {
        if (!tokens.accept("{")) {
            return;
        }
        tokens.skipSeparators();
        while (!tokens.accept("}")) {
            Token first = tokens.peek();
            switch (first.text()) {
                case "type" -> hook(chain);
                case "policy" -> {
                    tokens.next();
                    chain.policy(policy());
                }
                case "comment" -> {
                    tokens.next();
                    tokens.word("a comment");
                }
                default -> chain.append(rule(table));
            }
            tokens.skipSeparators();
        }
    }

    private Rule rule(DraftTable table) {
        Rule rule = new NftRules(tokens, table).rule();
        if (!tokens.atEndOfStatement()) {
            throw tokens.peek().unexpected("the end of the rule");
        }
        return rule;
    }

    private Chain.Policy policy() {
        Token word = tokens.next();
        return switch (word.text()) {
            case "accept" -> Chain.Policy.ACCEPT;
            case "drop" -> Chain.Policy.DROP;
            default -> throw word.unexpected("accept or drop");
        };
    }

    private void hook(DraftChain chain) {
        int line = tokens.expect("type").line();
        Token type = tokens.next();
        tokens.expect("hook");
        Token hook = tokens.next();
        int start = type.start();
        if (tokens.accept("device") || tokens.accept("devices")) {
            tokens.skipStatement(tokens.depth());
        }
        if (hook.is("ingress") || hook.is("egress")) {
            tokens.skipStatement(tokens.depth());
            unread.add(
                    new Ruleset.Unread(
                            line, tokens.slice(start, tokens.consumed()) + " is not modelled"));
            return;
        }
        tokens.expect("priority");
        chain.attach(
                new Chain.Attachment.Hooked(
                        type(type), hook(hook), priority(), Chain.Policy.ACCEPT));
    }

    private static Chain.Type type(Token word) {
        return switch (word.text()) {
            case "filter" -> Chain.Type.FILTER;
            case "nat" -> Chain.Type.NAT;
            case "route" -> Chain.Type.ROUTE;
            default -> throw word.unexpected("filter, nat or route");
        };
    }

    private static Hook hook(Token word) {
        for (Hook hook : Hook.values()) {
            if (word.is(hook.keyword())) {
                return hook;
            }
        }
        throw word.unexpected("a hook");
    }

    private int priority() {
        Token word = tokens.word("a priority");
        Integer named = PRIORITIES.get(word.text());
        int priority = named != null ? named : number(word);
        while (!tokens.atEndOfStatement()) {
            Token sign = tokens.next();
            priority +=
                    switch (sign.text()) {
                        case "-" -> -number(tokens.next());
                        case "+" -> number(tokens.next());
                        default -> number(sign);
                    };
        }
        return priority;
    }

    private static int number(Token word) {
        try {
            return Integer.parseInt(word.text());
        } catch (NumberFormatException _) {
            throw word.unexpected("a number");
        }
    }

    /// @param kind what the values of a map are if its type does not say otherwise
    private void set(DraftSet set, DraftTable table, DraftSet.Result kind) {
        tokens.expect("{");
        tokens.skipSeparators();
        while (!tokens.accept("}")) {
            Token first = tokens.peek();
            if (first.kind() == Token.Kind.END) {
                throw first.unexpected("the end of the set");
            }
            int outer = tokens.depth();
            try {
                setPart(set, table, kind);
            } catch (NotUnderstood _) {
                set.makeOpaque();
                tokens.skipStatement(outer);
            }
            tokens.skipSeparators();
        }
    }

    private void setPart(DraftSet set, DraftTable table, DraftSet.Result kind) {
        Token word = tokens.next();
        switch (word.text()) {
            case "type" -> declare(set, kind, declaredTypes(), this::declaredTypes);
            case "typeof" -> {
                NftExpressions expressions = new NftExpressions(tokens, table);
                declare(set, kind, expressions.typeof(), expressions::typeof);
            }
            case "flags" -> tokens.skipStatement(tokens.depth());
            case "timeout" -> set.timeout(NftTime.milliseconds(tokens.next()));
            case "size", "gc-interval", "comment", "policy" -> tokens.word("a value");
            case "auto-merge", "counter" -> {}
            case "elements" -> {
                tokens.expect("=");
                elements(set);
            }
            default -> throw new NotUnderstood("set with " + word.shown());
        }
    }

    private void declare(
            DraftSet set, DraftSet.Result kind, List<NftType> key, Supplier<List<NftType>> next) {
        DraftSet.Result result = kind;
        if (tokens.accept(":") && !tokens.accept("verdict")) {
            tokens.accept("interval");
            result = new DraftSet.Result.Values(next.get());
        }
        set.type(key, result);
    }

    private List<NftType> declaredTypes() {
        List<NftType> types = new ArrayList<>();
        do {
            types.add(NftType.named(tokens.word("a type").text()));
        } while (tokens.accept("."));
        return types;
    }

    private void elements(DraftSet set) {
        if (set.isOpaque()) {
            tokens.skipBlock();
            return;
        }
        int outer = tokens.depth();
        List<Element> read = new ArrayList<>();
        try {
            new NftElements(tokens, set.key()).read(set.result(), set.timeout(), read::add);
            read.forEach(set::add);
        } catch (NotUnderstood _) {
            set.makeOpaque();
            tokens.skipStatement(outer);
        }
    }
}
