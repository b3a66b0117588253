package dev.pointsman.graph;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// What turns one graph into another of the same family.
public record Delta(
        Family family,
        NodeRules nodeBefore,
        NodeRules nodeAfter,
        SortedMap<Frontend, Change<Treatment>> frontends,
        SortedMap<ServiceName, Change<HealthCheck>> healthChecks) {

    public Delta {
        frontends = Collections.unmodifiableSortedMap(frontends);
        healthChecks = Collections.unmodifiableSortedMap(healthChecks);
    }

    /// The difference of two graphs, in time linear in their size. Where a change is known as it
    /// happens, [Planner] gives the same delta in time linear in the change.
    public static Delta between(RuleGraph before, RuleGraph after) {
        if (before.family() != after.family()) {
            throw new IllegalArgumentException(
                    "no delta from " + before.family().title() + " to " + after.family().title());
        }
        return new Delta(
                before.family(),
                before.node(),
                after.node(),
                changes(before.frontends(), after.frontends()),
                changes(before.healthChecks(), after.healthChecks()));
    }

    private static <K extends Comparable<? super K>, V> SortedMap<K, Change<V>> changes(
            SortedMap<K, V> before, SortedMap<K, V> after) {
        Set<K> keys = new HashSet<>(before.keySet());
        keys.addAll(after.keySet());
        return changes(keys, before, after);
    }

    /// What became of `keys`.
    static <K extends Comparable<? super K>, V> SortedMap<K, Change<V>> changes(
            Set<K> keys, SortedMap<K, V> before, SortedMap<K, V> after) {
        SortedMap<K, Change<V>> changes = new TreeMap<>();
        for (K key : keys) {
            V was = before.get(key);
            V is = after.get(key);
            if (was == null && is != null) {
                changes.put(key, new Change.Added<>(is));
            } else if (was != null && is == null) {
                changes.put(key, new Change.Removed<>(was));
            } else if (was != null && is != null && !was.equals(is)) {
                changes.put(key, new Change.Replaced<>(was, is));
            }
        }
        return changes;
    }

    public boolean isEmpty() {
        return frontends.isEmpty() && healthChecks.isEmpty() && nodeBefore.equals(nodeAfter);
    }

    /// The graph that this delta makes of `graph`.
    public RuleGraph applyTo(RuleGraph graph) {
        RuleGraph result = graph.with(nodeAfter);
        for (var entry : frontends.entrySet()) {
            result =
                    switch (entry.getValue()) {
                        case Change.Added<Treatment>(var after) ->
                                result.with(entry.getKey(), after);
                        case Change.Removed<Treatment> _ -> result.without(entry.getKey());
                        case Change.Replaced<Treatment>(_, var after) ->
                                result.with(entry.getKey(), after);
                    };
        }
        for (var entry : healthChecks.entrySet()) {
            result =
                    switch (entry.getValue()) {
                        case Change.Added<HealthCheck>(var after) ->
                                result.with(entry.getKey(), after);
                        case Change.Removed<HealthCheck> _ ->
                                result.withoutHealthCheck(entry.getKey());
                        case Change.Replaced<HealthCheck>(_, var after) ->
                                result.with(entry.getKey(), after);
                    };
        }
        return result;
    }
}
