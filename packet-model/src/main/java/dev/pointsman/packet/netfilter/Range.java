package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.Cidr;

/// All values from `low` to `high`, both included.
public record Range(Value low, Value high) {
    private static final String AFTER_ALL_NAMES = "\uffff";

    /// Everything: nft's `*`.
    public static final Range ANY = new Range(Value.of(0), new Value.Name(AFTER_ALL_NAMES));

    public Range {
        if (low.compareTo(high) > 0) {
            throw new IllegalArgumentException(low + "-" + high + " is no range");
        }
    }

    public static Range of(Value only) {
        return new Range(only, only);
    }

    public static Range of(Cidr range) {
        return new Range(Value.of(range.base()), Value.of(range.last()));
    }

    /// Interface names that start so: nft's `veth*`, the `veth+` of iptables.
    public static Range startingWith(String prefix) {
        return new Range(new Value.Name(prefix), new Value.Name(prefix + AFTER_ALL_NAMES));
    }

    public boolean isSingle() {
        return low.equals(high);
    }

    public boolean contains(Value value) {
        return low.compareTo(value) <= 0 && value.compareTo(high) <= 0;
    }

    @Override
    public String toString() {
        if (isSingle()) {
            return low.toString();
        }
        return equals(ANY) ? "*" : low + "-" + high;
    }
}
