package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import java.util.List;

/// A target without options.
record PlainTarget(List<Step> steps) implements SavedPart {
    PlainTarget {
        steps = List.copyOf(steps);
    }

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        return false;
    }
}
