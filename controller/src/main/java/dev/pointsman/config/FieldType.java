package dev.pointsman.config;

import dev.pointsman.graph.IpAddress;
import java.time.Duration;
import java.util.function.Function;

/// How values of a field are read and printed.
///
/// @param parse throws an [IllegalArgumentException] that quotes what it cannot read
/// @param print such that `parse` reads the same again
record FieldType<T>(Function<String, T> parse, Function<T, Value> print) {
    static final FieldType<String> TEXT = text(Function.identity());

    static final FieldType<Boolean> SWITCH = new FieldType<>(FieldType::truth, Value.Truth::new);

    /// A duration that is not negative.
    static final FieldType<Duration> PERIOD = printed(FieldType::period, GoDuration::print);

    static final FieldType<IpAddress> ADDRESS = printed(IpAddress::parse, IpAddress::toString);

    /// A text that is checked, or changed, before it is taken.
    static FieldType<String> text(Function<String, String> parse) {
        return printed(parse, Function.identity());
    }

    static <T> FieldType<T> printed(Function<String, T> parse, Function<T, String> print) {
        return new FieldType<>(parse, value -> new Value.Text(print.apply(value)));
    }

    /// A whole number from `least` to `most`.
    static FieldType<Integer> count(int least, int most) {
        return new FieldType<>(
                text -> {
                    int count = Integer.parseInt(text);
                    if (count < least || count > most) {
                        throw new IllegalArgumentException(
                                most == Integer.MAX_VALUE
                                        ? "\"" + text + "\" is less than " + least
                                        : "\"" + text + "\" is not within " + least + ".." + most);
                    }
                    return count;
                },
                count -> new Value.Count(count));
    }

    /// The same for a field whose `zero` stands for a field not set, and so for `otherwise`.
    FieldType<T> withZero(T zero, T otherwise) {
        return new FieldType<>(
                text -> {
                    T value = parse.apply(text);
                    return value.equals(zero) ? otherwise : value;
                },
                print);
    }

    private static boolean truth(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new IllegalArgumentException(
                            "\"" + text + "\" is neither true nor false");
        };
    }

    private static Duration period(String text) {
        Duration period = GoDuration.parse(text);
        if (period.isNegative()) {
            throw new IllegalArgumentException("\"" + text + "\" is negative");
        }
        return period;
    }
}
