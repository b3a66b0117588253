package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Operand.Field;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.List;

/// `-m physdev` (xt_physdev.c). Packets that are bridged are none of the model's: of a routed one
/// only the port it came in by is known.
final class BridgeMatch implements SavedPart {
    private static final Range NONE = Range.of(new Value.Name(""));

    private final List<Step> steps = new ArrayList<>();

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        switch (option) {
            case "--physdev-in" -> steps.add(port(Field.IN_BRIDGE_PORT, sense, line));
            case "--physdev-out" -> steps.add(port(Field.OUT_BRIDGE_PORT, sense, line));
            case "--physdev-is-in" -> steps.add(some(Field.IN_BRIDGE_PORT, sense));
            case "--physdev-is-out", "--physdev-is-bridged" ->
                    steps.add(some(Field.OUT_BRIDGE_PORT, sense));
            default -> {
                return false;
            }
        }
        return true;
    }

    private static Step port(Field field, Sense sense, SavedLine line) {
        return Step.In.of(field, sense, interfaces(line.next("a bridge port")));
    }

    private static Step some(Field field, Sense sense) {
        return Step.In.of(
                field,
                switch (sense) {
                    case IS -> Sense.IS_NOT;
                    case IS_NOT -> Sense.IS;
                },
                NONE);
    }

    /// `eth0`, or `veth+` for all whose names begin so.
    static Range interfaces(String word) {
        return word.endsWith("+")
                ? Range.startingWith(word.substring(0, word.length() - 1))
                : Range.of(new Value.Name(word));
    }

    @Override
    public List<Step> steps() {
        return List.copyOf(steps);
    }
}
