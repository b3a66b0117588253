package dev.pointsman.nftables;

import dev.pointsman.netlink.NftElement;
import dev.pointsman.netlink.NftValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The table in memory, as strict as the kernel: what the kernel would refuse is an exception, and
/// then nothing has changed. After every batch no packet can be led to a slot that is empty.
final class InMemoryNft {
    private boolean present;
    private Map<String, NamedSet> sets = new TreeMap<>();
    private Map<String, Map<ElementKey, NftElement>> elements = new TreeMap<>();
    private Map<String, Chain> chains = new TreeMap<>();

    /// What the kernel answers when it refuses.
    static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RefusedException(String why) {
            super(why);
        }
    }

    /// A table with just this in it.
    static InMemoryNft of(Contents contents) {
        InMemoryNft nft = new InMemoryNft();
        contents.sets()
                .forEach(
                        (name, held) -> {
                            if (held instanceof Contents.HeldSet.Ours(var set, _)) {
                                nft.sets.put(name, set);
                                nft.elements.put(name, new TreeMap<>());
                            }
                        });
        contents.chains()
                .forEach(
                        (name, held) -> {
                            if (held instanceof Contents.HeldChain.Ours(var chain, _)) {
                                nft.chains.put(name, chain);
                            }
                        });
        contents.elements()
                .forEach(
                        (name, all) -> {
                            for (Element element : all.values()) {
                                nft.elementsOf(name)
                                        .put(
                                                Contents.identity(element.content()),
                                                element.content());
                            }
                        });
        nft.present = !nft.sets.isEmpty();
        return nft;
    }

    void apply(NftablesTransaction transaction) {
        transaction.batches().forEach(this::apply);
    }

    void apply(Batch batch) {
        InMemoryNft next = copy();
        batch.operations().forEach(next::apply);
        next.checkSlots();
        present = next.present;
        sets = next.sets;
        elements = next.elements;
        chains = next.chains;
    }

    private void apply(Operation operation) {
        if (!(operation instanceof Operation.AddTable)) {
            need(present, "no table for " + operation);
        }
        switch (operation) {
            case Operation.AddTable _ -> {
                need(!present, "the table is there");
                present = true;
            }
            case Operation.DeleteTable _ -> {
                present = false;
                sets.clear();
                elements.clear();
                chains.clear();
            }
            case Operation.AddSet(var set, _) -> {
                need(sets.putIfAbsent(set.name(), set) == null, "set is there: " + set.name());
                elements.put(set.name(), new TreeMap<>());
            }
            case Operation.DeleteSet(String name, _) -> {
                need(sets.remove(name) != null, "no set " + name);
                need(
                        chains.values().stream()
                                .flatMap(c -> c.rules().stream())
                                .flatMap(Rule::sets)
                                .noneMatch(name::equals),
                        "set in use: " + name);
                elements.remove(name);
            }
            case Operation.AddChain(var chain, _) ->
                    need(
                            chains.putIfAbsent(
                                            chain.name(),
                                            new Chain(chain.name(), chain.hook(), List.of()))
                                    == null,
                            "chain is there: " + chain.name());
            case Operation.DeleteChain(String name, _) -> {
                need(chains.remove(name) != null, "no chain " + name);
                need(!isTarget(name), "chain in use: " + name);
            }
            case Operation.FlushChain(String name, _) ->
                    chains.put(name, new Chain(name, chain(name).hook(), List.of()));
            case Operation.AddRule(String name, var rule, _) -> {
                rule.sets().forEach(set -> need(sets.containsKey(set), "no set " + set));
                rule.targets().forEach(this::chain);
                List<Rule> rules = new ArrayList<>(chain(name).rules());
                rules.add(rule);
                chains.put(name, new Chain(name, chain(name).hook(), rules));
            }
            case Operation.AddElement(var set, var content, _) -> {
                need(set.equals(sets.get(set.name())), "no set " + set.name());
                need(set.kind() != NamedSet.Kind.MEMORY, "only packets write " + set.name());
                Rule.target(content.value()).ifPresent(this::chain);
                for (NftElement other : elementsOf(set.name()).values()) {
                    need(!overlap(content, other), "overlap in " + set.name());
                }
                elementsOf(set.name()).put(Contents.identity(content), content);
            }
            case Operation.DeleteElement(var set, var content, _) ->
                    need(
                            elementsOf(set.name()).remove(Contents.identity(content)) != null,
                            "no such element in " + set.name());
        }
    }

    private static boolean overlap(NftElement one, NftElement other) {
        byte[] oneEnd = one.keyEnd().length == 0 ? one.key() : one.keyEnd();
        byte[] otherEnd = other.keyEnd().length == 0 ? other.key() : other.keyEnd();
        // Ranges differ in their last field only, so the order of bytes is the order of ranges.
        return Arrays.compareUnsigned(one.key(), otherEnd) <= 0
                && Arrays.compareUnsigned(other.key(), oneEnd) <= 0;
    }

    private boolean isTarget(String name) {
        return chains.values().stream()
                        .flatMap(c -> c.rules().stream())
                        .flatMap(Rule::targets)
                        .anyMatch(name::equals)
                || elements.values().stream()
                        .flatMap(all -> all.values().stream())
                        .anyMatch(e -> Rule.target(e.value()).filter(name::equals).isPresent());
    }

    private Chain chain(String name) {
        Chain chain = chains.get(name);
        if (chain == null) {
            throw new RefusedException("no chain " + name);
        }
        return chain;
    }

    private Map<ElementKey, NftElement> elementsOf(String set) {
        Map<ElementKey, NftElement> known = elements.get(set);
        if (known == null) {
            throw new RefusedException("no set " + set);
        }
        return known;
    }

    private static void need(boolean condition, String otherwise) {
        if (!condition) {
            throw new RefusedException(otherwise);
        }
    }

    /// Wherever a verdict leads, every slot that may be picked there must hold an endpoint.
    private void checkSlots() {
        elements.forEach(
                (_, all) ->
                        all.values()
                                .forEach(
                                        element ->
                                                Rule.target(element.value())
                                                        .ifPresent(
                                                                chain ->
                                                                        checkSlots(
                                                                                element.key(),
                                                                                chain))));
    }

    private void checkSlots(byte[] frontend, String chain) {
        for (Rule rule : chain(chain).rules()) {
            rule.targets().forEach(target -> checkSlots(frontend, target));
            for (Statement statement : rule.statements()) {
                switch (statement) {
                    case Statement.DnatFrom(var key, String map) -> checkSlots(frontend, key, map);
                    case Statement.VerdictFrom(var key, String map) ->
                            checkSlots(new byte[0], key, map);
                    default -> {}
                }
            }
        }
    }

    private void checkSlots(byte[] prefix, Key key, String map) {
        if (key.fields().getLast() instanceof Field.Slot(int modulus, int offset)) {
            for (int slot = offset; slot < offset + modulus; slot++) {
                ElementKey wanted = new ElementKey(KeyBytes.slot(prefix, slot));
                if (!elementsOf(map).containsKey(wanted)) {
                    throw new AssertionError(
                            "slot "
                                    + slot
                                    + " of "
                                    + Arrays.toString(prefix)
                                    + " is empty in "
                                    + map);
                }
            }
        }
    }

    /// The endpoint-less view for messages: names and counts.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(present ? "table\n" : "no table\n");
        sets.keySet()
                .forEach(
                        name -> {
                            text.append(name).append("\n");
                            elementsOf(name)
                                    .values()
                                    .forEach(e -> text.append("  ").append(e).append("\n"));
                        });
        chains.values().forEach(chain -> text.append(chain).append("\n"));
        return text.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof InMemoryNft that
                && present == that.present
                && sets.equals(that.sets)
                && elements.equals(that.elements)
                && chains.equals(that.chains);
    }

    @Override
    public int hashCode() {
        return chains.hashCode();
    }

    boolean isPresent() {
        return present;
    }

    /// A chain by its name, with its rules.
    List<Rule> rules(String chain) {
        return chain(chain).rules();
    }

    /// The element that a look-up finds.
    Optional<NftElement> find(String set, byte[] key) {
        for (NftElement element : elementsOf(set).values()) {
            byte[] end = element.keyEnd().length == 0 ? element.key() : element.keyEnd();
            if (Arrays.compareUnsigned(element.key(), key) <= 0
                    && Arrays.compareUnsigned(key, end) <= 0) {
                return Optional.of(element);
            }
        }
        return Optional.empty();
    }

    InMemoryNft copy() {
        InMemoryNft copy = new InMemoryNft();
        copy.present = present;
        copy.sets = new TreeMap<>(sets);
        elements.forEach((name, all) -> copy.elements.put(name, new TreeMap<>(all)));
        copy.chains = new TreeMap<>(chains);
        return copy;
    }

    /// Overwrites an element behind our back.
    void intrude(NamedSet set, byte[] key, NftValue value) {
        elementsOf(set.name()).put(new ElementKey(key), NftElement.of(key, value));
    }
}
