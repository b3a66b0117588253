package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.NamedSet;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.SetReference;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// `-m set` (xt_set.c).
final class SetMatch implements SavedPart {
    private final Family family;
    private final Ipsets ipsets;
    private final Consumer<NamedSet> used;
    private final List<Step> steps = new ArrayList<>();

    /// @param used takes the sets that are matched with
    SetMatch(Family family, Ipsets ipsets, Consumer<NamedSet> used) {
        this.family = family;
        this.ipsets = ipsets;
        this.used = used;
    }

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        if (option.equals("--update-counters") || option.equals("--update-subcounters")) {
            return true;
        }
        if (!option.equals("--match-set")) {
            return false;
        }
        SetDirections directions = SetDirections.of(line, family, ipsets);
        NamedSet set = directions.ipset().set();
        used.accept(set);
        steps.add(
                directions
                        .key()
                        .<Step>map(
                                key -> new Step.In(key, sense, new SetReference.Named(set.name())))
                        .orElseGet(() -> never(sense)));
        return true;
    }

    /// A match that holds for no packet, or for every one if it is turned round.
    static Step never(Sense sense) {
        return Step.In.of(Operand.Constant.of(Value.of(0)), sense, Range.of(Value.of(1)));
    }

    @Override
    public List<Step> steps() {
        return List.copyOf(steps);
    }
}
