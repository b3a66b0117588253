package dev.pointsman.packet.netfilter;

import dev.pointsman.packet.netfilter.Loads.Loaded;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which rules of a chain a packet can match at all: kube-proxy's chains have a rule for every
/// Service, and a packet is for one of them. A rule that wants one of certain values in a header
/// field is filed under these; one that says no such thing may match any packet.
final class RuleIndex {

    /// A field that a rule wants to hold one of these values.
    private record Wish(Operand field, List<Value> values) {}

    private final int rules;
    private final BitSet anybody = new BitSet();
    private final Map<Operand, Map<Value, List<Integer>>> filed = new LinkedHashMap<>();

    /// @param unindexed a chain of so many rules is not worth an index
    RuleIndex(List<Rule> chain, int unindexed) {
        rules = chain.size();
        if (rules <= unindexed) {
            anybody.set(0, rules);
            return;
        }
        List<List<Wish>> wishes = chain.stream().map(RuleIndex::wishes).toList();
        Map<Operand, Set<Value>> spread = new HashMap<>();
        wishes.forEach(
                all ->
                        all.forEach(
                                wish ->
                                        spread.computeIfAbsent(wish.field(), _ -> new HashSet<>())
                                                .addAll(wish.values())));
        Comparator<Wish> telling =
                Comparator.comparingInt(wish -> spread.getOrDefault(wish.field(), Set.of()).size());
        for (int rule = 0; rule < rules; rule++) {
            int at = rule;
            wishes.get(rule).stream()
                    .max(telling)
                    .ifPresentOrElse(wish -> file(at, wish), () -> anybody.set(at));
        }
    }

    private void file(int rule, Wish wish) {
        Map<Value, List<Integer>> byValue =
                filed.computeIfAbsent(wish.field(), _ -> new HashMap<>());
        for (Value value : wish.values()) {
            byValue.computeIfAbsent(value, _ -> new ArrayList<>(1)).add(rule);
        }
    }

    /// The places of all rules that `situation` may match, and of some that it does not. Nothing
    /// within a base chain changes what they are filed under: translation ends it.
    BitSet asked(Situation situation, Loads loads) {
        if (filed.isEmpty()) {
            return anybody;
        }
        BitSet asked = new BitSet(rules);
        asked.or(anybody);
        filed.forEach(
                (field, byValue) -> {
                    for (Loaded loaded : loads.load(field, situation)) {
                        if (loaded instanceof Loaded.Got(_, var values, _)) {
                            byValue.getOrDefault(values.getFirst(), List.of()).forEach(asked::set);
                        }
                    }
                });
        return asked;
    }

    /// Of the matches that a rule begins with; a step that leaves something behind even where a
    /// later one fails, a draw or a doubt, ends them.
    private static List<Wish> wishes(Rule rule) {
        List<Wish> wishes = new ArrayList<>();
        for (Step step : rule.steps()) {
            switch (step) {
                case Step.In(var field, var sense, SetReference.Anonymous(var elements))
                        when isQuiet(field) -> {
                    if (sense == Step.Sense.IS
                            && isHeader(field)
                            && elements.all().stream().allMatch(RuleIndex::isSingle)) {
                        wishes.add(
                                new Wish(
                                        field,
                                        elements.all().stream()
                                                .map(element -> element.key().getFirst().low())
                                                .toList()));
                    }
                }
                case Step.AnyBit(var field, _, _) when isQuiet(field) -> {}
                case Step.In _,
                        Step.AnyBit _,
                        Step.Chance _,
                        Step.Recent _,
                        Step.Unknown _,
                        Step.Take _,
                        Step.Choose _,
                        Step.Assign _,
                        Step.Translate _,
                        Step.Update _,
                        Step.Untrack _ -> {
                    return wishes;
                }
            }
        }
        return wishes;
    }

    private static boolean isSingle(Element element) {
        return element.key().size() == 1 && element.key().getFirst().isSingle();
    }

    /// Whether reading it leaves nothing behind.
    private static boolean isQuiet(Operand operand) {
        return switch (operand) {
            case Operand.Field _, Operand.Address _, Operand.AddressType _, Operand.Constant _ ->
                    true;
            case Operand.Masked(var masked, _, _) -> isQuiet(masked);
            case Operand.Mixed _, Operand.Random _, Operand.Concatenation _, Operand.Lookup _ ->
                    false;
        };
    }

    private static boolean isHeader(Operand operand) {
        return switch (operand) {
            case Operand.Address(_, var end) ->
                    end == Operand.End.SOURCE || end == Operand.End.DESTINATION;
            case Operand.Field field ->
                    field == Operand.Field.PROTOCOL
                            || field == Operand.Field.SOURCE_PORT
                            || field == Operand.Field.DESTINATION_PORT;
            case Operand.AddressType _,
                    Operand.Constant _,
                    Operand.Masked _,
                    Operand.Mixed _,
                    Operand.Random _,
                    Operand.Concatenation _,
                    Operand.Lookup _ ->
                    false;
        };
    }
}
