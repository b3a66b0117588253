package dev.pointsman.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;

/// The endpoints that one list of a ServicePort balances over, each in a slot of its own.
///
/// Slots are part of the value because a backend numbers endpoints in the kernel: an endpoint that
/// stays keeps its slot, so that a change costs what changed. A new pool is sorted.
public record Pool(ServicePortName owner, Scope scope, List<Endpoint> endpoints) {

    /// Which endpoints of the ServicePort the pool was chosen from.
    public enum Scope {
        CLUSTER,
        LOCAL
    }

    public Pool {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("a pool of " + owner + " would be empty");
        }
    }

    static Pool of(ServicePortName owner, Scope scope, SortedSet<Endpoint> wanted) {
        return new Pool(owner, scope, List.copyOf(wanted));
    }

    /// The pool that holds `wanted` with the fewest slots changed: newcomers take the slots of
    /// those that left, in order; what is left over is appended, or the last endpoints move into
    /// the holes.
    Pool settle(SortedSet<Endpoint> wanted) {
        if (wanted.size() == endpoints.size() && wanted.containsAll(endpoints)) {
            return this;
        }
        Set<Endpoint> present = new HashSet<>(endpoints);
        ArrayDeque<Endpoint> newcomers = new ArrayDeque<>();
        for (Endpoint endpoint : wanted) {
            if (!present.contains(endpoint)) {
                newcomers.add(endpoint);
            }
        }
        List<Endpoint> slots = new ArrayList<>(endpoints);
        for (int slot = 0; slot < slots.size() && !newcomers.isEmpty(); slot++) {
            if (!wanted.contains(slots.get(slot))) {
                slots.set(slot, newcomers.remove());
            }
        }
        slots.addAll(newcomers);
        int slot = 0;
        while (slot < slots.size()) {
            if (wanted.contains(slots.get(slot))) {
                slot++;
                continue;
            }
            Endpoint last = slots.removeLast();
            if (slot < slots.size()) {
                slots.set(slot, last);
            }
        }
        return new Pool(owner, scope, slots);
    }
}
