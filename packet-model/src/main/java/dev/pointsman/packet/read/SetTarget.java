package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.NamedSet;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// `-j SET`, which writes ipsets (xt_set.c). An element that is there lives on anew only with
/// `--exist`.
final class SetTarget implements SavedPart {
    private record Write(Step.Change change, NamedSet set, Operand key) {}

    private final Family family;
    private final Ipsets ipsets;
    private final Consumer<NamedSet> used;
    private final List<Write> writes = new ArrayList<>();
    private boolean refreshing;
    private long timeout;

    SetTarget(Family family, Ipsets ipsets, Consumer<NamedSet> used) {
        this.family = family;
        this.ipsets = ipsets;
        this.used = used;
    }

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        switch (option) {
            case "--add-set" -> write(Step.Change.ADD, line);
            case "--del-set" -> write(Step.Change.DELETE, line);
            case "--exist" -> refreshing = true;
            case "--timeout" -> timeout = 1000 * line.number(MarkMask.ALL);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void write(Step.Change change, SavedLine line) {
        SetDirections directions = SetDirections.of(line, family, ipsets);
        directions
                .key()
                .ifPresent(
                        key -> {
                            used.accept(directions.ipset().set());
                            writes.add(new Write(change, directions.ipset().set(), key));
                        });
    }

    @Override
    public List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        for (Write write : writes) {
            Step.Change change =
                    write.change() == Step.Change.ADD && refreshing
                            ? Step.Change.REFRESH
                            : write.change();
            steps.add(
                    new Step.Update(
                            write.set().name(),
                            change,
                            write.key(),
                            new Operand.Concatenation(List.of()),
                            timeout));
        }
        return steps;
    }
}
