package dev.pointsman.packet.read;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Value;

/// An address with a mask: `10.0.0.0/8`, `10.0.0.1`, or `10.0.0.1/255.0.0.255`, whose mask is no
/// prefix.
record AddressMask(Value.Bits address, Value.Bits mask, int length, Family family) {
    private static final int NO_PREFIX = -1;
    private static final Value.Bits NOTHING = new Value.Bits(0, 0);

    /// Reads the last word of `line`.
    static AddressMask of(String word, Family family, SavedLine line) {
        int slash = word.indexOf('/');
        if (slash < 0) {
            return prefix(line.address(word, family), family.bits());
        }
        IpAddress address = line.address(word.substring(0, slash), family);
        String after = word.substring(slash + 1);
        if (after.indexOf('.') < 0 && after.indexOf(':') < 0) {
            return prefix(address, (int) line.number(after, family.bits()));
        }
        return masked(address, after, line);
    }

    /// All bits of the address.
    static AddressMask all(Family family) {
        return prefix(prefixMask(family.bits(), family), family.bits());
    }

    /// The same address with another mask, the last word of `line`.
    AddressMask with(String newMask, SavedLine line) {
        return masked(address.address(family), newMask, line);
    }

    private static AddressMask masked(IpAddress address, String word, SavedLine line) {
        Family family = address.family();
        Value.Bits mask = bits(line.address(word, family));
        for (int length = family.bits(); length >= 0; length--) {
            if (bits(prefixMask(length, family)).equals(mask)) {
                return prefix(address, length);
            }
        }
        return new AddressMask(bits(address), mask, NO_PREFIX, family);
    }

    private static AddressMask prefix(IpAddress address, int length) {
        Family family = address.family();
        return new AddressMask(
                bits(new Cidr(address, length).base()),
                bits(prefixMask(length, family)),
                length,
                family);
    }

    private static IpAddress prefixMask(int length, Family family) {
        return new Cidr(
                        switch (family) {
                            case IPV4 -> new IpAddress.Ipv4(-1);
                            case IPV6 -> new IpAddress.Ipv6(-1, -1);
                        },
                        length)
                .base();
    }

    private static Value.Bits bits(IpAddress address) {
        return (Value.Bits) Value.of(address);
    }

    /// The address at `end`, as far as the mask reaches.
    Operand masked(Operand.End end) {
        var plain = new Operand.Address(family, end);
        return length == family.bits() ? plain : new Operand.Masked(plain, mask, NOTHING);
    }

    /// A match that the address at `end` is one of these.
    Step comparison(Operand.End end, Sense sense, SharedSteps shared) {
        var plain = new Operand.Address(family, end);
        return length == NO_PREFIX
                ? shared.in(new Operand.Masked(plain, mask, NOTHING), sense, Range.of(address))
                : shared.in(plain, sense, range());
    }

    private Range range() {
        return Range.of(new Cidr(address.address(family), length));
    }
}
