package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import java.util.List;

/// A target that changes nothing the model sees: it writes a log, or a field that no rule reads.
final class IdleTarget implements SavedPart {
    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        while (line.hasNext() && !line.isAtOption()) {
            line.next("a word");
        }
        return true;
    }

    @Override
    public List<Step> steps() {
        return List.of();
    }
}
