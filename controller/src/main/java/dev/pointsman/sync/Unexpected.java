package dev.pointsman.sync;

import java.util.Arrays;

/// What to say of an exception that nobody foresaw, in one line that a bug report can quote.
final class Unexpected {
    private Unexpected() {}

    static String describe(RuntimeException e) {
        return "a bug in Pointsman: "
                + e
                + Arrays.stream(e.getStackTrace())
                        .filter(frame -> frame.getClassName().startsWith("dev.pointsman."))
                        .findFirst()
                        .map(frame -> " at " + frame)
                        .orElse("");
    }
}
