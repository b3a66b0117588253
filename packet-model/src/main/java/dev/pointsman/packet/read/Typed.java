package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Step;
import java.util.ArrayList;
import java.util.List;

/// An expression of nft.
///
/// @param types of its values, side by side
/// @param needs what the packet must be for the expression to have a meaning: `tcp dport` is only
///   for TCP
record Typed(Operand operand, List<NftType> types, List<Step.Match> needs) {
    static Typed of(Operand operand, NftType type) {
        return new Typed(operand, List.of(type), List.of());
    }

    Typed needing(Step.Match... more) {
        List<Step.Match> all = new ArrayList<>(needs);
        all.addAll(List.of(more));
        return new Typed(operand, types, all);
    }

    /// Its only type.
    NftType type() {
        if (types.size() != 1) {
            throw new NotUnderstood("a concatenation where one value should be");
        }
        return types.getFirst();
    }
}
