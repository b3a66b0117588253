package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Value;
import java.util.List;

/// `-j MARK`: each form clears some bits and turns others over (xt_mark.c, libxt_MARK.c).
final class MarkTarget implements SavedPart {
    private long mask = MarkMask.ALL;
    private long value;

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        switch (option) {
            case "--set-xmark" -> {
                MarkMask mark = MarkMask.of(line);
                set(mark.mask(), mark.value());
            }
            case "--set-mark" -> {
                MarkMask mark = MarkMask.of(line);
                set(mark.mask() | mark.value(), mark.value());
            }
            case "--and-mark" -> set(~line.number(MarkMask.ALL), 0);
            case "--or-mark" -> {
                long bits = line.number(MarkMask.ALL);
                set(bits, bits);
            }
            case "--xor-mark" -> set(0, line.number(MarkMask.ALL));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void set(long cleared, long turned) {
        mask = cleared & MarkMask.ALL;
        value = turned;
    }

    @Override
    public List<Step> steps() {
        return List.of(new Step.Assign(Step.Mark.PACKET, changed(Operand.Field.MARK, mask, value)));
    }

    static Operand changed(Operand mark, long cleared, long turned) {
        return new Operand.Masked(
                mark, new Value.Bits(0, ~cleared & MarkMask.ALL), new Value.Bits(0, turned));
    }
}
