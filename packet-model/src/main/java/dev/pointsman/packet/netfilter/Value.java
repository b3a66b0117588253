package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;

/// What a field of a packet holds, as rules compare it: numbers by size, names by letters, and
/// every number before every name.
public sealed interface Value extends Comparable<Value> {
    /// A number, an address, or bits: 128 of them, unsigned.
    record Bits(long high, long low) implements Value {
        Bits maskedWith(Bits and, Bits xor) {
            return new Bits(high & and.high ^ xor.high, low & and.low ^ xor.low);
        }

        @Override
        public String toString() {
            return high == 0
                    ? Long.toUnsignedString(low)
                    : new IpAddress.Ipv6(high, low).toString();
        }
    }

    /// The name of an interface.
    record Name(String text) implements Value {
        @Override
        public String toString() {
            return '"' + text + '"';
        }
    }

    static Value of(long number) {
        return new Bits(0, number);
    }

    static Value of(IpAddress address) {
        return switch (address) {
            case IpAddress.Ipv4(int bits) -> new Bits(0, Integer.toUnsignedLong(bits));
            case IpAddress.Ipv6(long high, long low) -> new Bits(high, low);
        };
    }

    /// The address that these bits are in `family`.
    ///
    /// @throws IllegalArgumentException for a name
    default IpAddress address(Family family) {
        return switch (this) {
            case Bits(long high, long low) ->
                    switch (family) {
                        case IPV4 -> new IpAddress.Ipv4((int) low);
                        case IPV6 -> new IpAddress.Ipv6(high, low);
                    };
            case Name name -> throw new IllegalArgumentException(name + " is no address");
        };
    }

    /// The lowest 64 bits.
    ///
    /// @throws IllegalArgumentException for a name
    default long number() {
        return switch (this) {
            case Bits(_, long low) -> low;
            case Name name -> throw new IllegalArgumentException(name + " is no number");
        };
    }

    @Override
    default int compareTo(Value other) {
        return switch (this) {
            case Bits(long high, long low) -> {
                if (!(other instanceof Bits(long otherHigh, long otherLow))) {
                    yield -1;
                }
                int order = Long.compareUnsigned(high, otherHigh);
                yield order != 0 ? order : Long.compareUnsigned(low, otherLow);
            }
            case Name(String text) -> other instanceof Name(String o) ? text.compareTo(o) : 1;
        };
    }
}
