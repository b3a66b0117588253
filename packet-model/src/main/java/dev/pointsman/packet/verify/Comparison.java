package dev.pointsman.packet.verify;

import dev.pointsman.packet.netfilter.Elements;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Rule;
import dev.pointsman.packet.netfilter.SetReference;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Table;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Something that a rule looks up, and where.
///
/// @param sense whether what is not found there goes on
record Comparison(List<Operand> key, SetReference in, Step.Sense sense) {

    /// Those of a rule, in order.
    static List<Comparison> of(Rule rule) {
        List<Comparison> all = new ArrayList<>();
        for (Step step : rule.steps()) {
            switch (step) {
                case Step.In(var operand, var sense, var set) -> add(operand, set, sense, all);
                case Step.Choose(var operand, var map) -> add(operand, map, Step.Sense.IS, all);
                case Step.Assign(_, var operand) -> within(operand, all);
                case Step.Translate(_, var to, _, _) -> within(to, all);
                case Step.AnyBit(var operand, _, _) -> within(operand, all);
                case Step.Update(_, _, var key, var value, _) -> {
                    within(key, all);
                    within(value, all);
                }
                case Step.Unknown _, Step.Chance _, Step.Recent _, Step.Take _, Step.Untrack _ -> {}
            }
        }
        return all;
    }

    private static void add(
            Operand operand, SetReference set, Step.Sense sense, List<Comparison> all) {
        all.add(new Comparison(fields(operand), set, sense));
        within(operand, all);
    }

    private static void within(Operand operand, List<Comparison> all) {
        switch (operand) {
            case Operand.Lookup(var key, var map) -> add(key, map, Step.Sense.IS, all);
            case Operand.Concatenation(var operands) -> operands.forEach(o -> within(o, all));
            case Operand.Masked(var masked, _, _) -> within(masked, all);
            case Operand.Mixed(var left, var right) -> {
                within(left, all);
                within(right, all);
            }
            case Operand.Field _,
                    Operand.Address _,
                    Operand.AddressType _,
                    Operand.Constant _,
                    Operand.Random _ -> {}
        }
    }

    /// Whether a destination must be another one. Sources have classes of their own.
    boolean isNegated() {
        return sense == Step.Sense.IS_NOT
                && key.stream()
                        .flatMap(operand -> dimension(operand).stream())
                        .anyMatch(dimension -> dimension != Mention.Dimension.SOURCE);
    }

    private static List<Operand> fields(Operand operand) {
        return operand instanceof Operand.Concatenation(var operands) ? operands : List.of(operand);
    }

    Elements elements(Table table) {
        return switch (in) {
            case SetReference.Anonymous(var elements) -> elements;
            case SetReference.Named(String name) -> {
                var set = table.sets().get(name);
                yield set == null ? Elements.EMPTY : set.elements();
            }
        };
    }

    /// Which field of a flow an operand reads. What conntrack calls the original packet is the flow
    /// as its sender sees it; what comes after translation is compared with endpoints.
    static Optional<Mention.Dimension> dimension(Operand operand) {
        return switch (operand) {
            case Operand.Address(_, var end) ->
                    switch (end) {
                        case SOURCE, ORIGINAL_SOURCE, REPLY_DESTINATION ->
                                Optional.of(Mention.Dimension.SOURCE);
                        case DESTINATION, ORIGINAL_DESTINATION, REPLY_SOURCE, VIRTUAL ->
                                Optional.of(Mention.Dimension.DESTINATION);
                    };
            case Operand.Field field ->
                    switch (field) {
                        case PROTOCOL, CONNECTION_PROTOCOL ->
                                Optional.of(Mention.Dimension.PROTOCOL);
                        case DESTINATION_PORT,
                                ORIGINAL_DESTINATION_PORT,
                                REPLY_SOURCE_PORT,
                                VIRTUAL_PORT ->
                                Optional.of(Mention.Dimension.PORT);
                        case FAMILY,
                                SOURCE_PORT,
                                TCP_FLAGS,
                                ICMP_TYPE,
                                ICMP_CODE,
                                IN_INTERFACE,
                                OUT_INTERFACE,
                                IN_BRIDGE_PORT,
                                OUT_BRIDGE_PORT,
                                MARK,
                                STATE,
                                STATE_AND_TRANSLATION,
                                STATUS,
                                DIRECTION,
                                CONNECTION_MARK,
                                ORIGINAL_SOURCE_PORT,
                                REPLY_DESTINATION_PORT,
                                BALANCED ->
                                Optional.empty();
                    };
            case Operand.Masked(var inner, var and, _) when isPlain(and) -> dimension(inner);
            case Operand.AddressType _,
                    Operand.Constant _,
                    Operand.Masked _,
                    Operand.Mixed _,
                    Operand.Random _,
                    Operand.Concatenation _,
                    Operand.Lookup _ ->
                    Optional.empty();
        };
    }

    private static boolean isPlain(Value.Bits and) {
        return and.high() == -1 && and.low() == -1;
    }
}
