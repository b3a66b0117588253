package dev.pointsman.packet.kernel;

import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Outcome;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A flow that real packets ended otherwise than a scenario says.
///
/// @param file the scenario's
/// @param line where the flow stands in it
/// @param expected everything that may become of it
/// @param seen how often it ended how, which includes what was expected as well
public record Miss(
        String file,
        int line,
        Flow flow,
        SortedSet<Outcome> expected,
        SortedMap<Outcome, Integer> seen) {
    public Miss {
        expected = Collections.unmodifiableSortedSet(new TreeSet<>(expected));
        seen = Collections.unmodifiableSortedMap(new TreeMap<>(seen));
    }

    @Override
    public String toString() {
        return "%s:%d: %s%n    expected %s%n    seen     %s"
                .formatted(
                        file,
                        line,
                        flow,
                        expected.stream()
                                .map(Outcome::toString)
                                .sorted()
                                .collect(Collectors.joining(", ")),
                        seen.entrySet().stream()
                                .map(entry -> entry.getKey() + " (" + entry.getValue() + " times)")
                                .collect(Collectors.joining(", ")));
    }
}
