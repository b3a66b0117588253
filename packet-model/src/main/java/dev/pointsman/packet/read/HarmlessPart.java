package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import java.util.List;
import java.util.Set;

/// One that every packet meets: `comment`, and `nfacct`, which counts (xt_nfacct.c matches always
/// where there is no quota, and nobody gives one).
///
/// @param options each with one word behind it
record HarmlessPart(Set<String> options) implements SavedPart {
    HarmlessPart {
        options = Set.copyOf(options);
    }

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        boolean ours = options.contains(option);
        if (ours) {
            line.next("a value");
        }
        return ours;
    }

    @Override
    public List<Step> steps() {
        return List.of();
    }
}
