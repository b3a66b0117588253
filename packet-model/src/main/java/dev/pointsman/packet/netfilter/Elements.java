package dev.pointsman.packet.netfilter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What is in a set or map, indexed: a look-up of single values is one hash, a look-up among ranges
/// is one hash over the fields that are single values and one binary search. Of ranges that overlap
/// (an ipset may have such) the narrowest is found.
public final class Elements {
    public static final Elements EMPTY = new Elements(List.of());

    private final List<Element> all;
    private final Map<List<Value>, Element> single = new HashMap<>();

    /// By which fields are ranges, as bits.
    private final Map<Integer, Map<List<Value>, RangeIndex>> ranged = new HashMap<>();

    private Optional<Element> otherwise = Optional.empty();

    /// Of several elements with one key the last one counts.
    public Elements(Collection<Element> elements) {
        all = List.copyOf(elements);
        Map<Integer, Map<List<Value>, List<Element>>> buckets = new HashMap<>();
        for (Element element : all) {
            int shape = shape(element);
            if (shape == 0) {
                single.put(singles(element, 0), element);
            } else if (element.key().stream().allMatch(Range.ANY::equals)) {
                otherwise = Optional.of(element);
            } else {
                buckets.computeIfAbsent(shape, _ -> new HashMap<>())
                        .computeIfAbsent(singles(element, shape), _ -> new ArrayList<>())
                        .add(element);
            }
        }
        buckets.forEach(
                (shape, bySingles) -> {
                    Map<List<Value>, RangeIndex> indexed = new HashMap<>();
                    bySingles.forEach(
                            (key, bucket) -> indexed.put(key, new RangeIndex(shape, bucket)));
                    ranged.put(shape, indexed);
                });
    }

    public static Elements of(Range... ranges) {
        List<Element> elements = new ArrayList<>();
        for (Range range : ranges) {
            elements.add(Element.of(range));
        }
        return new Elements(elements);
    }

    public static Elements of(Value value) {
        return of(Range.of(value));
    }

    /// In the order in which they were given.
    public List<Element> all() {
        return all;
    }

    /// The element for `key` that has not expired at `now`.
    public Optional<Element> find(List<Value> key, long now) {
        Element exact = single.get(key);
        if (exact != null && exact.isAlive(now)) {
            return Optional.of(exact);
        }
        for (Map.Entry<Integer, Map<List<Value>, RangeIndex>> entry : ranged.entrySet()) {
            RangeIndex index = entry.getValue().get(without(key, entry.getKey()));
            if (index != null) {
                Optional<Element> found = index.find(key, now);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return otherwise.filter(element -> element.isAlive(now));
    }

    private static int shape(Element element) {
        int shape = 0;
        for (int i = 0; i < element.key().size(); i++) {
            if (!element.key().get(i).isSingle()) {
                shape |= 1 << i;
            }
        }
        return shape;
    }

    private static List<Value> singles(Element element, int shape) {
        List<Value> values = new ArrayList<>(element.key().size());
        for (int i = 0; i < element.key().size(); i++) {
            if ((shape >> i & 1) == 0) {
                values.add(element.key().get(i).low());
            }
        }
        return values;
    }

    private static List<Value> without(List<Value> key, int shape) {
        List<Value> values = new ArrayList<>(key.size());
        for (int i = 0; i < key.size(); i++) {
            if ((shape >> i & 1) == 0) {
                values.add(key.get(i));
            }
        }
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Elements elements && all.equals(elements.all);
    }

    @Override
    public int hashCode() {
        return all.isEmpty() ? 0 : all.size() * 31 + all.getFirst().hashCode();
    }

    @Override
    public String toString() {
        return all.toString();
    }
}
