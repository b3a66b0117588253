package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Elements;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Operand.Field;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.SetReference;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import java.util.ArrayList;
import java.util.List;

/// `-m multiport`.
final class MultiportMatch implements SavedPart {
    private final List<Step> steps = new ArrayList<>();

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        switch (option) {
            case "--sports", "--source-ports" -> steps.add(one(Field.SOURCE_PORT, sense, line));
            case "--dports", "--destination-ports" ->
                    steps.add(one(Field.DESTINATION_PORT, sense, line));
            case "--ports" -> steps.add(either(sense, line));
            default -> {
                return false;
            }
        }
        return true;
    }

    private static Step one(Field field, Sense sense, SavedLine line) {
        return Step.In.of(field, sense, ranges(line).toArray(Range[]::new));
    }

    /// Pairs of ports of which one is in the list, the other one whichever.
    private static Step either(Sense sense, SavedLine line) {
        List<Element> pairs = new ArrayList<>();
        for (Range range : ranges(line)) {
            pairs.add(pair(range, Range.ANY, 2 * pairs.size()));
            pairs.add(pair(Range.ANY, range, 2 * pairs.size()));
        }
        return new Step.In(
                new Operand.Concatenation(List.of(Field.SOURCE_PORT, Field.DESTINATION_PORT)),
                sense,
                new SetReference.Anonymous(new Elements(pairs)));
    }

    private static Element pair(Range source, Range destination, int place) {
        return Element.permanent(List.of(source, destination), new Element.Data.None(), place);
    }

    private static List<Range> ranges(SavedLine line) {
        List<Range> ranges = new ArrayList<>();
        for (String part : line.next("ports").split(",", -1)) {
            ranges.add(PortMatch.range(part, line));
        }
        return ranges;
    }

    @Override
    public List<Step> steps() {
        return List.copyOf(steps);
    }
}
