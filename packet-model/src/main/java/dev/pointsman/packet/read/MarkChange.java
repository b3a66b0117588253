package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Value;
import java.util.Optional;

/// A change of a mark, as MARK and CONNMARK spell it: some bits are cleared and others turned over
/// (xt_mark.c, xt_connmark.c).
record MarkChange(long cleared, long turned) {

    /// Empty for an option that says something else.
    static Optional<MarkChange> of(String option, SavedLine line) {
        return switch (option) {
            case "--set-xmark" -> {
                MarkMask mark = MarkMask.of(line);
                yield change(mark.mask(), mark.value());
            }
            case "--set-mark" -> {
                MarkMask mark = MarkMask.of(line);
                yield change(mark.mask() | mark.value(), mark.value());
            }
            case "--and-mark" -> change(~line.number(MarkMask.ALL) & MarkMask.ALL, 0);
            case "--or-mark" -> {
                long bits = line.number(MarkMask.ALL);
                yield change(bits, bits);
            }
            case "--xor-mark" -> change(0, line.number(MarkMask.ALL));
            default -> Optional.empty();
        };
    }

    private static Optional<MarkChange> change(long cleared, long turned) {
        return Optional.of(new MarkChange(cleared, turned));
    }

    /// What becomes of `mark`.
    Operand of(Operand mark) {
        return new Operand.Masked(
                mark, new Value.Bits(0, ~cleared & MarkMask.ALL), new Value.Bits(0, turned));
    }
}
