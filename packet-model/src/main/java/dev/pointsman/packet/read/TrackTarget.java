package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import java.util.List;

/// `-j CT`: `--notrack`; its other options, zones and helpers, are none of the model's.
final class TrackTarget implements SavedPart {
    private List<Step> steps = List.of();

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        if (!option.equals("--notrack")) {
            throw new NotUnderstood("CT " + option);
        }
        steps = List.of(new Step.Untrack());
        return true;
    }

    @Override
    public List<Step> steps() {
        return steps;
    }
}
