package dev.pointsman.packet.verify;

import dev.pointsman.packet.netfilter.Chain;
import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Elements;
import dev.pointsman.packet.netfilter.NamedSet;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Rule;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.SetReference;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Table;
import dev.pointsman.packet.netfilter.Value;
import dev.pointsman.packet.netfilter.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;

/// Rules with one thing wrong, for everything that can be.
public final class Mutants {

    /// A ruleset that differs from another in one thing.
    ///
    /// @param kind what was done
    /// @param where to what
    public record Mutant(String kind, String where, Ruleset rules) {
        @Override
        public String toString() {
            return kind + ": " + where;
        }
    }

    private final Ruleset rules;
    private final List<Mutant> mutants = new ArrayList<>();

    private Mutants(Ruleset rules) {
        this.rules = rules;
    }

    public static List<Mutant> of(Ruleset rules) {
        Mutants all = new Mutants(rules);
        for (Table table : rules.tables()) {
            table.chains().values().forEach(chain -> all.mutate(table, chain));
            table.sets().values().forEach(set -> all.mutate(table, set));
        }
        return all.mutants;
    }

    private void mutate(Table table, Chain chain) {
        if (chain.attachment() instanceof Chain.Attachment.Hooked hooked) {
            add(
                    "policy drop",
                    chain.name(),
                    table,
                    new Chain(
                            chain.name(),
                            new Chain.Attachment.Hooked(
                                    hooked.type(),
                                    hooked.hook(),
                                    hooked.priority(),
                                    Chain.Policy.DROP),
                            chain.rules()));
        }
        for (int i = 0; i < chain.rules().size(); i++) {
            Rule rule = chain.rules().get(i);
            String where = chain.name() + ": " + rule.text();
            add("rule removed", where, table, chain, without(chain.rules(), i));
            if (i + 1 < chain.rules().size()) {
                List<Rule> swapped = new ArrayList<>(chain.rules());
                Collections.swap(swapped, i, i + 1);
                add("rules swapped", where, table, chain, swapped);
            }
            for (int j = 0; j < rule.steps().size(); j++) {
                int at = i;
                Step step = rule.steps().get(j);
                add(
                        "step removed (" + (j + 1) + ")",
                        where,
                        table,
                        chain,
                        with(chain.rules(), at, rule(rule, without(rule.steps(), j))));
                for (Changed changed : changes(step)) {
                    add(
                            changed.kind() + " (" + (j + 1) + ")",
                            where,
                            table,
                            chain,
                            with(
                                    chain.rules(),
                                    at,
                                    rule(rule, with(rule.steps(), j, changed.step()))));
                }
            }
        }
    }

    private record Changed(String kind, Step step) {}

    private static List<Changed> changes(Step step) {
        return switch (step) {
            case Step.In in -> in(in);
            case Step.AnyBit(var operand, var sense, long bits) ->
                    List.of(
                            new Changed("negated", new Step.AnyBit(operand, other(sense), bits)),
                            new Changed("other bits", new Step.AnyBit(operand, sense, bits << 1)));
            case Step.Take(var verdict) ->
                    verdicts(verdict).stream()
                            .map(v -> new Changed("verdict " + v, new Step.Take(v)))
                            .toList();
            case Step.Choose(var key, var map) ->
                    operands(key).stream()
                            .map(k -> new Changed("other operand", new Step.Choose(k, map)))
                            .toList();
            case Step.Assign(var mark, var value) ->
                    operands(value).stream()
                            .map(v -> new Changed("other operand", new Step.Assign(mark, v)))
                            .toList();
            case Step.Translate(var kind, var to, var parts, var ports) ->
                    operands(to).stream()
                            .map(
                                    t ->
                                            new Changed(
                                                    "other operand",
                                                    new Step.Translate(kind, t, parts, ports)))
                            .toList();
            case Step.Update(var set, var change, var key, var value, long timeout) ->
                    List.of(
                            new Changed(
                                    "other timeout",
                                    new Step.Update(set, change, key, value, timeout * 2)),
                            new Changed(
                                    "shorter timeout",
                                    new Step.Update(set, change, key, value, timeout / 2)));
            case Step.Unknown _, Step.Chance _, Step.Recent _, Step.Untrack _ -> List.of();
        };
    }

    private static List<Changed> in(Step.In in) {
        List<Changed> changes = new ArrayList<>();
        changes.add(new Changed("negated", new Step.In(in.operand(), other(in.sense()), in.set())));
        operands(in.operand())
                .forEach(
                        operand ->
                                changes.add(
                                        new Changed(
                                                "other operand",
                                                new Step.In(operand, in.sense(), in.set()))));
        if (in.set() instanceof SetReference.Anonymous(var elements)) {
            for (int i = 0; i < elements.all().size(); i++) {
                for (Element changed : wrong(elements.all().get(i))) {
                    changes.add(
                            new Changed(
                                    "other constant",
                                    new Step.In(
                                            in.operand(),
                                            in.sense(),
                                            new SetReference.Anonymous(
                                                    new Elements(
                                                            with(elements.all(), i, changed))))));
                }
            }
        }
        return changes;
    }

    private static List<Operand> operands(Operand operand) {
        return switch (operand) {
            case Operand.Lookup(var key, var map) ->
                    operands(key).stream().<Operand>map(k -> new Operand.Lookup(k, map)).toList();
            case Operand.Concatenation(var parts) -> {
                List<Operand> all = new ArrayList<>();
                for (int i = 0; i < parts.size(); i++) {
                    for (Operand part : operands(parts.get(i))) {
                        all.add(new Operand.Concatenation(with(parts, i, part)));
                    }
                }
                yield all;
            }
            case Operand.Masked(var inner, var and, var xor) ->
                    List.of(
                            new Operand.Masked(inner, and, new Value.Bits(0, xor.low() << 1)),
                            new Operand.Masked(inner, new Value.Bits(0, and.low() >>> 15), xor));
            case Operand.Random(int modulus, long offset) -> {
                List<Operand> draws = new ArrayList<>();
                draws.add(new Operand.Random(modulus + 1, offset));
                draws.add(new Operand.Random(modulus, offset + 1));
                if (modulus > 1) {
                    draws.add(new Operand.Random(modulus - 1, offset));
                }
                yield draws;
            }
            case Operand.Constant(var values) -> {
                List<Operand> constants = new ArrayList<>();
                for (int i = 0; i < values.size(); i++) {
                    if (values.get(i) instanceof Value.Bits bits) {
                        constants.add(new Operand.Constant(with(values, i, next(bits))));
                    }
                }
                yield constants;
            }
            case Operand.Address(var family, var end) ->
                    switch (end) {
                        case SOURCE ->
                                List.of(new Operand.Address(family, Operand.End.DESTINATION));
                        case DESTINATION ->
                                List.of(
                                        new Operand.Address(family, Operand.End.SOURCE),
                                        new Operand.Address(
                                                family, Operand.End.ORIGINAL_DESTINATION));
                        case ORIGINAL_DESTINATION ->
                                List.of(new Operand.Address(family, Operand.End.DESTINATION));
                        case ORIGINAL_SOURCE, REPLY_SOURCE, REPLY_DESTINATION, VIRTUAL -> List.of();
                    };
            case Operand.Field _, Operand.AddressType _, Operand.Mixed _ -> List.of();
        };
    }

    private void mutate(Table table, NamedSet set) {
        List<Element> all = set.elements().all();
        for (int i = 0; i < all.size(); i++) {
            Element element = all.get(i);
            String where = set.name() + " " + element.key();
            add("element removed", where, table, set, without(all, i));
            for (Element wrong : wrong(element)) {
                add(
                        "element changed",
                        where + " to " + wrong.key(),
                        table,
                        set,
                        with(all, i, wrong));
                List<Element> more = new ArrayList<>(all);
                more.add(wrong);
                add("stale element", set.name() + " " + wrong.key(), table, set, more);
            }
            if (i + 1 < all.size() && !element.data().equals(all.get(i + 1).data())) {
                Element next = all.get(i + 1);
                List<Element> swapped = with(all, i, with(element, next.data()));
                add(
                        "data swapped",
                        where + " and " + next.key(),
                        table,
                        set,
                        with(swapped, i + 1, with(next, element.data())));
                add("data copied", where, table, set, with(all, i, with(element, next.data())));
            }
            switch (element.data()) {
                case Element.Data.Values(var values) -> {
                    for (int j = 0; j < values.size(); j++) {
                        if (values.get(j) instanceof Value.Bits bits) {
                            Element.Data data =
                                    new Element.Data.Values(with(values, j, next(bits)));
                            add("other data", where, table, set, with(all, i, with(element, data)));
                        }
                    }
                }
                case Element.Data.Judgement(var verdict) -> {
                    for (Verdict other : verdicts(verdict)) {
                        add(
                                "verdict " + other,
                                where,
                                table,
                                set,
                                with(all, i, with(element, new Element.Data.Judgement(other))));
                    }
                }
                case Element.Data.None _ -> {}
            }
        }
    }

    /// Each field off by one, and ranges with other ends.
    private static List<Element> wrong(Element element) {
        List<Element> all = new ArrayList<>();
        for (int i = 0; i < element.key().size(); i++) {
            Range range = element.key().get(i);
            if (range.low() instanceof Value.Bits low && range.high() instanceof Value.Bits high) {
                if (range.isSingle()) {
                    all.add(with(element, i, Range.of(next(low))));
                } else {
                    all.add(with(element, i, new Range(low, next(high))));
                    all.add(with(element, i, new Range(next(low), high)));
                    all.add(with(element, i, new Range(low, half(low, high))));
                }
            }
        }
        return all;
    }

    private static Value.Bits next(Value.Bits bits) {
        return new Value.Bits(bits.high(), bits.low() + 1);
    }

    private static Value.Bits half(Value.Bits low, Value.Bits high) {
        return low.high() == high.high()
                ? new Value.Bits(low.high(), low.low() + (high.low() - low.low() >>> 1))
                : new Value.Bits(low.high(), -1);
    }

    private static Element with(Element element, int field, Range range) {
        return new Element(
                with(element.key(), field, range), element.data(), element.until(), element.line());
    }

    private static Element with(Element element, Element.Data data) {
        return new Element(element.key(), data, element.until(), element.line());
    }

    private static List<Verdict> verdicts(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Accept _ -> List.of(new Verdict.Drop());
            case Verdict.Drop _ -> List.of(new Verdict.Accept());
            case Verdict.Reject _ -> List.of(new Verdict.Drop(), new Verdict.Accept());
            case Verdict.Return _ -> List.of(new Verdict.Accept(), new Verdict.Drop());
            case Verdict.Continue _ -> List.of(new Verdict.Drop());
            case Verdict.Jump(String chain) ->
                    List.of(new Verdict.Goto(chain), new Verdict.Drop(), new Verdict.Return());
            case Verdict.Goto(String chain) ->
                    List.of(new Verdict.Jump(chain), new Verdict.Drop(), new Verdict.Return());
        };
    }

    private static Step.Sense other(Step.Sense sense) {
        return switch (sense) {
            case IS -> Step.Sense.IS_NOT;
            case IS_NOT -> Step.Sense.IS;
        };
    }

    private static Rule rule(Rule rule, List<Step> steps) {
        return new Rule(steps, rule.line(), rule.text());
    }

    private static <T> List<T> without(List<T> list, int index) {
        List<T> shorter = new ArrayList<>(list);
        shorter.remove(index);
        return shorter;
    }

    private static <T> List<T> with(List<T> list, int index, T item) {
        List<T> changed = new ArrayList<>(list);
        changed.set(index, item);
        return changed;
    }

    private void add(String kind, String where, Table table, Chain chain, List<Rule> changed) {
        add(kind, where, table, new Chain(chain.name(), chain.attachment(), changed));
    }

    private void add(String kind, String where, Table table, Chain chain) {
        SequencedMap<String, Chain> chains = new LinkedHashMap<>(table.chains());
        chains.put(chain.name(), chain);
        add(kind, where, table, _ -> new Table(table.scope(), table.name(), chains, table.sets()));
    }

    private void add(String kind, String where, Table table, NamedSet set, List<Element> changed) {
        SequencedMap<String, NamedSet> sets = new LinkedHashMap<>(table.sets());
        sets.put(set.name(), new NamedSet(set.name(), new Elements(changed), set.timeout()));
        add(kind, where, table, _ -> new Table(table.scope(), table.name(), table.chains(), sets));
    }

    private void add(String kind, String where, Table table, UnaryOperator<Table> change) {
        List<Table> tables = new ArrayList<>();
        for (Table each : rules.tables()) {
            tables.add(each.equals(table) ? change.apply(each) : each);
        }
        mutants.add(new Mutant(kind, where, rules.with(tables)));
    }
}
