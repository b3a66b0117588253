package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import java.util.List;
import java.util.Optional;

/// `-j MARK` (xt_mark.c, libxt_MARK.c).
final class MarkTarget implements SavedPart {
    private MarkChange change = new MarkChange(MarkMask.ALL, 0);

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        Optional<MarkChange> said = MarkChange.of(option, line);
        said.ifPresent(other -> change = other);
        return said.isPresent();
    }

    @Override
    public List<Step> steps() {
        return List.of(new Step.Assign(Step.Mark.PACKET, change.of(Operand.Field.MARK)));
    }
}
