package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Operand.Field;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.List;

/// `-m mark` and `-m connmark`.
final class MarkMatch implements SavedPart {
    private final Field field;
    private final List<Step> steps = new ArrayList<>();

    MarkMatch(Field field) {
        this.field = field;
    }

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        if (!option.equals("--mark")) {
            return false;
        }
        MarkMask wanted = MarkMask.of(line);
        steps.add(
                Step.In.of(
                        new Operand.Masked(
                                field, new Value.Bits(0, wanted.mask()), new Value.Bits(0, 0)),
                        sense,
                        Range.of(Value.of(wanted.value()))));
        return true;
    }

    @Override
    public List<Step> steps() {
        return List.copyOf(steps);
    }
}
