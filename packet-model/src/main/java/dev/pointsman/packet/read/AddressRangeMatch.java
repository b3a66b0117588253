package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.List;

/// `-m iprange`.
final class AddressRangeMatch implements SavedPart {
    private final Family family;
    private final List<Step> steps = new ArrayList<>();

    AddressRangeMatch(Family family) {
        this.family = family;
    }

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        Operand.End end;
        switch (option) {
            case "--src-range" -> end = Operand.End.SOURCE;
            case "--dst-range" -> end = Operand.End.DESTINATION;
            default -> {
                return false;
            }
        }
        String word = line.next("a range of addresses");
        int dash = word.indexOf('-');
        Value low = Value.of(line.address(dash < 0 ? word : word.substring(0, dash), family));
        Value high = Value.of(line.address(word.substring(dash + 1), family));
        if (low.compareTo(high) > 0) {
            throw line.wrong("a range of addresses");
        }
        steps.add(Step.In.of(new Operand.Address(family, end), sense, new Range(low, high)));
        return true;
    }

    @Override
    public List<Step> steps() {
        return List.copyOf(steps);
    }
}
