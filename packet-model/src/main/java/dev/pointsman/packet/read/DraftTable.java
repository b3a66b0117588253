package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Chain;
import dev.pointsman.packet.netfilter.NamedSet;
import dev.pointsman.packet.netfilter.Table;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// A table while a script is read.
final class DraftTable {
    private final Table.Scope scope;
    private final String name;
    private boolean dormant;
    private final SequencedMap<String, DraftChain> chains = new LinkedHashMap<>();
    private final SequencedMap<String, DraftSet> sets = new LinkedHashMap<>();
    private final SequencedMap<String, NamedSet> ipsets = new LinkedHashMap<>();

    DraftTable(Table.Scope scope, String name) {
        this.scope = scope;
        this.name = name;
    }

    String name() {
        return name;
    }

    Table.Scope scope() {
        return scope;
    }

    void sleep() {
        dormant = true;
    }

    DraftChain makeChain(String chain) {
        return chains.computeIfAbsent(chain, DraftChain::new);
    }

    DraftSet makeSet(String set) {
        return sets.computeIfAbsent(set, DraftSet::new);
    }

    /// A set that is no part of a table, and that rules of this one use.
    void include(NamedSet ipset) {
        ipsets.put(ipset.name(), ipset);
    }

    Optional<DraftChain> chain(String chain) {
        return Optional.ofNullable(chains.get(chain));
    }

    Optional<DraftSet> set(String set) {
        return Optional.ofNullable(sets.get(set));
    }

    void removeChain(String chain) {
        chains.remove(chain);
    }

    void removeSet(String set) {
        sets.remove(set);
    }

    /// Empties every chain, as `flush table` does; sets keep their elements.
    void flush() {
        chains.values().forEach(DraftChain::flush);
    }

    Table finished() {
        SequencedMap<String, Chain> finishedChains = new LinkedHashMap<>();
        chains.forEach(
                (key, chain) ->
                        finishedChains.put(key, dormant ? chain.dormant() : chain.finished()));
        SequencedMap<String, NamedSet> finishedSets = new LinkedHashMap<>(ipsets);
        sets.forEach(
                (key, set) -> {
                    if (!set.isOpaque()) {
                        finishedSets.put(key, set.finished());
                    }
                });
        return new Table(scope, name, finishedChains, finishedSets);
    }
}
