package dev.pointsman.nftables;

import dev.pointsman.netlink.NftChain;
import dev.pointsman.netlink.NftElement;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a table holds, or the part of it that a change is about. Filled once, in the order in which
/// things are to be made.
final class Contents {

    /// A set, as far as it is known.
    sealed interface HeldSet {
        record Ours(NamedSet set, Subject subject) implements HeldSet {}

        /// Not made by us, or not like this.
        record Foreign() implements HeldSet {}
    }

    /// A chain, as far as it is known.
    sealed interface HeldChain {
        record Ours(Chain chain, Subject subject) implements HeldChain {}

        /// Not made by us, or other rules are in it.
        record Foreign(NftChain.Hook hook) implements HeldChain {}
    }

    private final Map<String, HeldSet> sets = new LinkedHashMap<>();
    private final Map<String, HeldChain> chains = new LinkedHashMap<>();
    private final Map<String, Map<ElementKey, Element>> elements = new LinkedHashMap<>();

    Map<String, HeldSet> sets() {
        return Collections.unmodifiableMap(sets);
    }

    Map<String, HeldChain> chains() {
        return Collections.unmodifiableMap(chains);
    }

    /// Elements by set and by key.
    Map<String, Map<ElementKey, Element>> elements() {
        return Collections.unmodifiableMap(elements);
    }

    void add(NamedSet set, Subject subject) {
        sets.putIfAbsent(set.name(), new HeldSet.Ours(set, subject));
    }

    void add(Chain chain, Subject subject) {
        chains.putIfAbsent(chain.name(), new HeldChain.Ours(chain, subject));
    }

    void add(Element element) {
        elements.computeIfAbsent(element.set().name(), _ -> new LinkedHashMap<>())
                .putIfAbsent(identity(element.content()), element);
    }

    void addForeignSet(String name) {
        sets.put(name, new HeldSet.Foreign());
    }

    void addForeignChain(String name, NftChain.Hook hook) {
        chains.put(name, new HeldChain.Foreign(hook));
    }

    /// The key of an element; of a range, both its ends.
    static ElementKey identity(NftElement element) {
        return new ElementKey(
                element.keyEnd().length == 0
                        ? element.key()
                        : KeyBytes.join(element.key(), element.keyEnd()));
    }
}
