package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Operand.Field;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.List;

/// `-m ipvs` (xt_ipvs.c), as far as Service proxies use it.
final class IpvsMatch implements SavedPart {
    private final Family family;
    private final SharedSteps shared;
    private final List<Step> steps = new ArrayList<>();

    IpvsMatch(Family family, SharedSteps shared) {
        this.family = family;
        this.shared = shared;
    }

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        switch (option) {
            case "--ipvs" -> steps.addFirst(is(Field.BALANCED, sense, 1));
            case "--vaddr" ->
                    steps.add(
                            AddressMask.of(line.next("an address"), family, line)
                                    .comparison(Operand.End.VIRTUAL, sense, shared));
            case "--vport" -> steps.add(is(Field.VIRTUAL_PORT, sense, line.number(65535)));
            case "--vproto" -> {
                // Packets that IPVS has not seen match no other option, negated or not.
                steps.add(is(Field.BALANCED, Sense.IS, 1));
                steps.add(is(Field.PROTOCOL, sense, Protocols.number(line)));
            }
            case "--vdir", "--vmethod", "--vportctl" -> throw new NotUnderstood(option);
            default -> {
                return false;
            }
        }
        if (steps.size() > 1 && steps.getFirst().equals(is(Field.BALANCED, Sense.IS_NOT, 1))) {
            throw new NotUnderstood("! --ipvs beside other options");
        }
        return true;
    }

    private static Step is(Field field, Sense sense, long value) {
        return Step.In.of(field, sense, Range.of(Value.of(value)));
    }

    @Override
    public List<Step> steps() {
        return List.copyOf(steps);
    }
}
