package dev.pointsman.packet;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Everything that can become of a [Flow], each with its share of [#total] equal chances: exact,
/// since nothing is sampled.
public record Outcomes(SortedMap<Outcome, Integer> shares) {
    public Outcomes {
        shares = Collections.unmodifiableSortedMap(new TreeMap<>(shares));
        if (shares.isEmpty()) {
            throw new IllegalArgumentException("something becomes of every flow");
        }
    }

    static Outcomes certain(Outcome outcome) {
        TreeMap<Outcome, Integer> shares = new TreeMap<>();
        shares.put(outcome, 1);
        return new Outcomes(shares);
    }

    public SortedSet<Outcome> possible() {
        return new TreeSet<>(shares.keySet());
    }

    public int total() {
        return shares.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public String toString() {
        return possible().stream().map(Outcome::toString).collect(Collectors.joining(", "));
    }
}
