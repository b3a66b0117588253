package dev.pointsman.packet.verify;

import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Outcome;
import dev.pointsman.packet.Outcomes;
import dev.pointsman.packet.netfilter.Fraction;
import dev.pointsman.packet.netfilter.Path;
import dev.pointsman.packet.netfilter.Paths;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Everything that can become of a flow, each with its exact chance.
public record Shares(SortedMap<Ending, Fraction> chances) {
    public Shares {
        chances = Collections.unmodifiableSortedMap(new TreeMap<>(chances));
    }

    public static Shares of(Outcomes outcomes) {
        SortedMap<Ending, Fraction> chances = new TreeMap<>();
        int total = outcomes.total();
        outcomes.shares()
                .forEach(
                        (outcome, share) ->
                                chances.put(new Ending.Of(outcome), Fraction.of(share, total)));
        return new Shares(chances);
    }

    public static Shares of(Tracer tracer, Paths paths, Flow flow) {
        SortedMap<Ending, Fraction> chances = new TreeMap<>();
        for (Path path : paths.paths()) {
            chances.merge(tracer.ending(path, flow), path.probability(), Fraction::plus);
        }
        return new Shares(chances);
    }

    static Shares certain(Ending ending) {
        return new Shares(new TreeMap<>(Map.of(ending, Fraction.ONE)));
    }

    /// For certain what has the endpoint of `bound`, if anything has; else the same.
    Shares boundTo(Ending bound) {
        if (bound.outcome() instanceof Outcome.Delivered wanted) {
            for (Ending each : chances.keySet()) {
                if (each.outcome() instanceof Outcome.Delivered delivered
                        && delivered.endpoint().equals(wanted.endpoint())
                        && delivered.port() == wanted.port()) {
                    return certain(each);
                }
            }
        }
        return this;
    }

    @Override
    public String toString() {
        return chances.entrySet().stream()
                .map(
                        entry ->
                                entry.getValue().equals(Fraction.ONE)
                                        ? entry.getKey().toString()
                                        : entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }
}
