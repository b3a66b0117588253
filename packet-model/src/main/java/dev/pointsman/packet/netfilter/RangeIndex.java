package dev.pointsman.packet.netfilter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Elements with the same single values, sorted by their first ranged field.
final class RangeIndex {
    private final int field;
    private final List<Element> byLow;

    /// For each place, the highest value that any element up to there reaches.
    private final List<Value> reach;

    RangeIndex(int shape, List<Element> elements) {
        field = Integer.numberOfTrailingZeros(shape);
        byLow = new ArrayList<>(elements);
        byLow.sort(Comparator.comparing(element -> element.key().get(field).low()));
        reach = new ArrayList<>(byLow.size());
        for (Element element : byLow) {
            Value high = element.key().get(field).high();
            reach.add(
                    reach.isEmpty() || high.compareTo(reach.getLast()) > 0
                            ? high
                            : reach.getLast());
        }
    }

    Optional<Element> find(List<Value> key, long now) {
        Value value = key.get(field);
        Optional<Element> best = Optional.empty();
        for (int i = lastNotAbove(value); i >= 0 && reach.get(i).compareTo(value) >= 0; i--) {
            Element candidate = byLow.get(i);
            if (contains(candidate, key)
                    && candidate.isAlive(now)
                    && best.map(b -> narrower(candidate, b)).orElse(true)) {
                best = Optional.of(candidate);
            }
        }
        return best;
    }

    // Sorted by its low end, a range found later contains the one found before if it reaches as
    // far.
    private boolean narrower(Element candidate, Element best) {
        Range one = candidate.key().get(field);
        Range other = best.key().get(field);
        return one.low().equals(other.low()) && one.high().compareTo(other.high()) < 0;
    }

    private int lastNotAbove(Value value) {
        int from = 0;
        int to = byLow.size();
        while (from < to) {
            int middle = from + to >>> 1;
            if (byLow.get(middle).key().get(field).low().compareTo(value) <= 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from - 1;
    }

    private static boolean contains(Element element, List<Value> key) {
        for (int i = 0; i < key.size(); i++) {
            if (!element.key().get(i).contains(key.get(i))) {
                return false;
            }
        }
        return true;
    }
}
