package dev.pointsman.perf;

import java.util.Arrays;
import java.util.List;

/// Numbers of Services that a tool measures one after the other.
final class Scales {
    private Scales() {}

    /// Those of the command line, or `usual` when it names none.
    static List<Integer> of(String[] arguments, List<Integer> usual) {
        return arguments.length == 0
                ? usual
                : Arrays.stream(arguments).map(Integer::valueOf).toList();
    }
}
