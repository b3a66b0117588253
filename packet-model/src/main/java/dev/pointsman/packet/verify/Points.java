package dev.pointsman.packet.verify;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Value;
import java.util.Optional;
import java.util.SortedSet;

/// Where ranges begin and where they have ended: each class of addresses that ranges make has one
/// of these in it.
final class Points {
    private Points() {}

    static void add(Range range, SortedSet<Value> points) {
        if (range.low() instanceof Value.Bits && range.high() instanceof Value.Bits high) {
            points.add(range.low());
            Value.Bits after =
                    high.low() == -1
                            ? new Value.Bits(high.high() + 1, 0)
                            : new Value.Bits(high.high(), high.low() + 1);
            points.add(after);
        }
    }

    static void add(Atom atom, SortedSet<Value> points) {
        atom.ranges().forEach(range -> add(range, points));
    }

    static Optional<IpAddress> address(Value value, Family family) {
        if (!(value instanceof Value.Bits(long high, long low))
                || family == Family.IPV4 && (high != 0 || low >>> 32 != 0)) {
            return Optional.empty();
        }
        return Optional.of(value.address(family));
    }
}
