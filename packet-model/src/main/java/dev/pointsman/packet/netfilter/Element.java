package dev.pointsman.packet.netfilter;

import java.util.List;

/// One entry of a set or map.
///
/// @param key one range per field
/// @param until when it expires on the clock of [Memory], in milliseconds
/// @param line where it was read, 0 when a packet left it
public record Element(List<Range> key, Data data, long until, int line) {
    /// It never expires.
    public static final long FOREVER = Long.MAX_VALUE;

    /// What a map says for a key.
    public sealed interface Data {
        /// Nothing: a set.
        record None() implements Data {}

        record Values(List<Value> values) implements Data {
            public Values {
                values = List.copyOf(values);
            }
        }

        record Judgement(Verdict verdict) implements Data {}
    }

    public Element {
        key = List.copyOf(key);
    }

    public static Element permanent(List<Range> key, Data data, int line) {
        return new Element(key, data, FOREVER, line);
    }

    /// One value without data, as in the anonymous set of a plain comparison.
    public static Element of(Range range) {
        return permanent(List.of(range), new Data.None(), 0);
    }

    boolean isAlive(long now) {
        return now < until;
    }

    // Elements of one set differ in where they stand; hashing their ranges would cost far more.
    @Override
    public int hashCode() {
        return line * 31 + key.getFirst().low().hashCode();
    }
}
