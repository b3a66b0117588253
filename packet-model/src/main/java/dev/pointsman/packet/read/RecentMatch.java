package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import java.util.List;

/// `-m recent`.
final class RecentMatch implements SavedPart {
    private final Family family;
    private String list = "DEFAULT";
    private Step.Recall recall = Step.Recall.CHECK;
    private Sense sense = Sense.IS;
    private Operand.End end = Operand.End.SOURCE;
    private int seconds;
    private int hits = 1;
    private AddressMask mask;

    RecentMatch(Family family) {
        this.family = family;
        mask = AddressMask.all(family);
    }

    @Override
    public boolean takes(String option, Sense optionSense, SavedLine line) {
        switch (option) {
            case "--set" -> recall(Step.Recall.SET, optionSense);
            case "--rcheck" -> recall(Step.Recall.CHECK, optionSense);
            case "--update" -> recall(Step.Recall.UPDATE, optionSense);
            case "--remove" -> recall(Step.Recall.REMOVE, optionSense);
            case "--name" -> list = line.next("a name");
            case "--rsource" -> end = Operand.End.SOURCE;
            case "--rdest" -> end = Operand.End.DESTINATION;
            case "--seconds" -> seconds = (int) line.number(Integer.MAX_VALUE);
            case "--hitcount" -> hits = (int) Math.max(1, line.number(Integer.MAX_VALUE));
            // Frees memory: what is older than the seconds does not count anyway.
            case "--reap" -> {}
            case "--mask" -> mask = AddressMask.all(family).with(line.next("a mask"), line);
            case "--rttl" -> throw new NotUnderstood("recent --rttl");
            default -> {
                return false;
            }
        }
        return true;
    }

    private void recall(Step.Recall what, Sense how) {
        recall = what;
        sense = how;
    }

    @Override
    public List<Step> steps() {
        return List.of(new Step.Recent(list, mask.masked(end), recall, sense, seconds, hits));
    }
}
