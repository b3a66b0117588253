package dev.pointsman.nftables;

import dev.pointsman.netlink.NftChain;
import dev.pointsman.netlink.NftElement;
import dev.pointsman.netlink.NftValue;
import dev.pointsman.nftables.Contents.HeldChain;
import dev.pointsman.nftables.Contents.HeldSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The batches that turn one content of the table into another without a moment at which a packet
/// falls between.
///
/// A transaction is atomic for each look-up, not for each packet: a packet may take its first
/// look-up before a commit and its second after it. So there are up to three steps:
///
/// 1. additions that nothing refers to yet,
/// 2. everything that decides: verdicts, rules, and slots that get another endpoint,
/// 3. deletions of what nothing refers to any more, and the guard over new addresses.
///
/// The first is apart from the second only where that must not be seen without it (chains, the
/// first look-up of an external address under policy Local, and source ranges before all), or where
/// it is large.
final class Difference {
    /// Elements of one batch during a large load: bounds how long a batch keeps the kernel.
    private static final int LARGE = 20_000;

    private static final Subject NODE = new Subject.Node();

    private final Contents before;
    private final Contents after;

    private final Set<String> replacedSets = new HashSet<>();
    private final Set<String> doomed = new HashSet<>();

    private final List<Operation> fences = new ArrayList<>();
    private final List<Operation> newSets = new ArrayList<>();
    private final List<Operation> newData = new ArrayList<>();
    private final List<Operation> newChains = new ArrayList<>();
    private final List<Operation> newRules = new ArrayList<>();
    private final List<Operation> newVerdicts = new ArrayList<>();

    private final List<Operation> flushed = new ArrayList<>();
    private final List<Operation> withdrawn = new ArrayList<>();
    private final List<Operation> remade = new ArrayList<>();
    private final List<Operation> rewritten = new ArrayList<>();
    private final List<Operation> decided = new ArrayList<>();

    private final List<Operation> guarding = new ArrayList<>();
    private final List<Operation> deletedElements = new ArrayList<>();
    private final List<Operation> emptied = new ArrayList<>();
    private final List<Operation> deletedSets = new ArrayList<>();
    private final List<Operation> deletedChains = new ArrayList<>();

    // Whether step 1 must be over before step 2 begins.
    private boolean ordered;

    private Difference(Contents before, Contents after) {
        this.before = before;
        this.after = after;
        compareSets();
        compareChains();
        compareElements();
    }

    /// The batches that lead from `before` to `after`.
    static List<Batch> between(Contents before, Contents after) {
        return new Difference(before, after).inSteps();
    }

    /// Everything in one batch: for what no packet can meet before, since the table is new.
    static List<Operation> whole(Contents after) {
        return new Difference(new Contents(), after).atOnce();
    }

    private List<Operation> atOnce() {
        return joined(
                List.of(
                        newSets,
                        newChains,
                        newRules,
                        fences,
                        newData,
                        newVerdicts,
                        decided,
                        guarding));
    }

    private List<Batch> inSteps() {
        List<Batch> batches = new ArrayList<>();
        List<Operation> decision = joined(List.of(flushed, withdrawn, remade, rewritten, decided));
        boolean large = newData.size() > LARGE;
        if (!remade.isEmpty() || decision.isEmpty() || !ordered && !large) {
            // What is taken away makes room, and what decides comes after what it needs.
            add(
                    batches,
                    Batch.Start.AT_ONCE,
                    joined(
                            List.of(
                                    flushed,
                                    withdrawn,
                                    remade,
                                    newSets,
                                    newChains,
                                    newRules,
                                    rewritten,
                                    fences,
                                    newData,
                                    newVerdicts,
                                    decided)));
        } else {
            Batch.Start next = ordered ? Batch.Start.AFTER_PACKETS : Batch.Start.AT_ONCE;
            List<Operation> referring = joined(List.of(newChains, newRules, newVerdicts));
            add(batches, Batch.Start.AT_ONCE, joined(List.of(newSets, fences)));
            if (large) {
                for (int from = 0; from < newData.size(); from += LARGE) {
                    int to = Math.min(from + LARGE, newData.size());
                    add(batches, Batch.Start.AT_ONCE, newData.subList(from, to));
                }
                add(batches, next, referring);
            } else {
                add(batches, next, joined(List.of(newData, referring)));
            }
            add(batches, next, decision);
        }
        add(
                batches,
                Batch.Start.AFTER_PACKETS,
                joined(List.of(guarding, deletedElements, emptied, deletedSets, deletedChains)));
        return batches;
    }

    private static void add(List<Batch> batches, Batch.Start start, List<Operation> operations) {
        if (!operations.isEmpty()) {
            // The first batch of a change replaces nothing that a change before left half done.
            batches.add(new Batch(batches.isEmpty() ? Batch.Start.AT_ONCE : start, operations));
        }
    }

    private static List<Operation> joined(List<List<Operation>> parts) {
        return parts.stream().flatMap(List::stream).toList();
    }

    private void compareSets() {
        after.sets()
                .forEach(
                        (name, held) -> {
                            if (!(held instanceof HeldSet.Ours(var set, var subject))) {
                                return;
                            }
                            HeldSet was = before.sets().get(name);
                            if (was == null) {
                                newSets.add(new Operation.AddSet(set, subject));
                            } else if (!(was instanceof HeldSet.Ours(var old, _))
                                    || !old.equals(set)) {
                                replacedSets.add(name);
                                remade.add(new Operation.DeleteSet(name, subject));
                                remade.add(new Operation.AddSet(set, subject));
                            }
                        });
        before.sets()
                .forEach(
                        (name, held) -> {
                            if (!after.sets().containsKey(name)) {
                                doomed.add(name);
                                deletedSets.add(
                                        new Operation.DeleteSet(
                                                name,
                                                switch (held) {
                                                    case HeldSet.Ours(_, var subject) -> subject;
                                                    case HeldSet.Foreign _ -> NODE;
                                                }));
                            }
                        });
    }

    private void compareChains() {
        after.chains()
                .forEach(
                        (name, held) -> {
                            if (held instanceof HeldChain.Ours(var chain, var subject)) {
                                compare(name, chain, subject);
                            }
                        });
        before.chains()
                .forEach(
                        (name, held) -> {
                            if (!after.chains().containsKey(name)) {
                                delete(name, held);
                            }
                        });
    }

    private void compare(String name, Chain chain, Subject subject) {
        HeldChain was = before.chains().get(name);
        if (was == null) {
            // A packet keeps to the rules of the generation in which it came to the hook, and in
            // that one a new chain is empty; a new verdict it would see at once.
            ordered = true;
            newChains.add(new Operation.AddChain(chain, subject));
            addRules(chain, subject, newRules);
            return;
        }
        NftChain.Hook hook =
                switch (was) {
                    case HeldChain.Ours(var old, _) -> old.hook();
                    case HeldChain.Foreign(var other) -> other;
                };
        boolean same = was instanceof HeldChain.Ours(var old, _) && old.equals(chain);
        if (same && chain.rules().stream().flatMap(Rule::sets).noneMatch(replacedSets::contains)) {
            return;
        }
        flushed.add(new Operation.FlushChain(name, subject));
        if (!hook.equals(chain.hook())) {
            withdrawn.add(new Operation.DeleteChain(name, subject));
            remade.add(new Operation.AddChain(chain, subject));
        }
        addRules(chain, subject, rewritten);
    }

    private static void addRules(Chain chain, Subject subject, List<Operation> to) {
        for (Rule rule : chain.rules()) {
            to.add(new Operation.AddRule(chain.name(), rule, subject));
        }
    }

    private void delete(String name, HeldChain held) {
        switch (held) {
            case HeldChain.Ours(var chain, var subject) -> {
                // A set cannot go before the rules that use it.
                if (chain.rules().stream().flatMap(Rule::sets).anyMatch(doomed::contains)
                        || chain.rules().stream().flatMap(Rule::targets).findAny().isPresent()) {
                    emptied.add(new Operation.FlushChain(name, subject));
                }
                deletedChains.add(new Operation.DeleteChain(name, subject));
            }
            case HeldChain.Foreign _ -> {
                flushed.add(new Operation.FlushChain(name, NODE));
                deletedChains.add(new Operation.DeleteChain(name, NODE));
            }
        }
    }

    private void compareElements() {
        after.elements()
                .forEach(
                        (set, wanted) -> {
                            Map<ElementKey, Element> held =
                                    replacedSets.contains(set)
                                            ? Map.of()
                                            : before.elements().getOrDefault(set, Map.of());
                            Set<ElementKey> regrouped = regrouped(held, wanted);
                            wanted.forEach(
                                    (key, element) -> {
                                        Element was = held.get(key);
                                        if (was == null) {
                                            add(element, regrouped);
                                        } else if (!same(was.content(), element.content())) {
                                            replace(was, element);
                                        }
                                    });
                            held.forEach(
                                    (key, element) -> {
                                        if (!wanted.containsKey(key)) {
                                            remove(element, regrouped);
                                        }
                                    });
                        });
        before.elements()
                .forEach(
                        (set, held) -> {
                            if (!after.elements().containsKey(set)
                                    && !doomed.contains(set)
                                    && !replacedSets.contains(set)) {
                                held.values().forEach(element -> remove(element, Set.of()));
                            }
                        });
    }

    private void replace(Element was, Element element) {
        if (element.set().role() == NamedSet.Role.REMAINING
                && element.content().value() instanceof NftValue.Drop) {
            // Where a short cut has come, those who may take it were refused until it came.
            guarding.add(deletion(was));
            guarding.add(addition(element));
        } else {
            withdrawn.add(deletion(was));
            decided.add(addition(element));
        }
    }

    private static boolean same(NftElement one, NftElement other) {
        return one.value().equals(other.value());
    }

    private void add(Element element, Set<ElementKey> regrouped) {
        boolean remadeSet = replacedSets.contains(element.set().name());
        switch (element.set().role()) {
            case FOLLOWED, REMAINING -> addEarly(element, remadeSet);
            case FOLLOWED_RANGES -> {
                if (regrouped.contains(group(element))) {
                    decided.add(addition(element));
                } else {
                    addFence(element, remadeSet);
                }
            }
            case FENCING -> {
                ordered = true;
                addFence(element, remadeSet);
            }
            case PRECEDING -> {
                ordered = true;
                addEarly(element, remadeSet);
            }
            case DECIDING -> decided.add(addition(element));
            case GUARDING -> {
                if (remadeSet) {
                    decided.add(addition(element));
                } else {
                    guarding.add(addition(element));
                }
            }
        }
    }

    private void addFence(Element element, boolean remadeSet) {
        (remadeSet ? decided : fences).add(addition(element));
    }

    private void addEarly(Element element, boolean remadeSet) {
        if (remadeSet) {
            decided.add(addition(element));
        } else if (element.content().value() instanceof NftValue.Verdict) {
            newVerdicts.add(addition(element));
        } else {
            newData.add(addition(element));
        }
    }

    private void remove(Element element, Set<ElementKey> regrouped) {
        switch (element.set().role()) {
            case FOLLOWED, REMAINING -> deletedElements.add(deletion(element));
            case FOLLOWED_RANGES -> {
                if (regrouped.contains(group(element))) {
                    withdrawn.add(deletion(element));
                } else {
                    deletedElements.add(deletion(element));
                }
            }
            case FENCING, PRECEDING, DECIDING, GUARDING -> withdrawn.add(deletion(element));
        }
    }

    private static Operation addition(Element element) {
        return new Operation.AddElement(element.set(), element.content(), element.subject());
    }

    private static Operation deletion(Element element) {
        return new Operation.DeleteElement(element.set(), element.content(), element.subject());
    }

    /// The Frontends that lose some of their ranges and get others. Old and new ones may overlap,
    /// so they can only change places within one batch.
    private static Set<ElementKey> regrouped(
            Map<ElementKey, Element> held, Map<ElementKey, Element> wanted) {
        Set<ElementKey> losing = new HashSet<>();
        held.forEach(
                (key, element) -> {
                    if (element.set().role() == NamedSet.Role.FOLLOWED_RANGES
                            && !wanted.containsKey(key)) {
                        losing.add(group(element));
                    }
                });
        Set<ElementKey> both = new HashSet<>();
        wanted.forEach(
                (key, element) -> {
                    if (!losing.isEmpty()
                            && !held.containsKey(key)
                            && losing.contains(group(element))) {
                        both.add(group(element));
                    }
                });
        return both;
    }

    /// The Frontend part of a range's key: all but the address at its end.
    private static ElementKey group(Element element) {
        byte[] key = element.content().key();
        int address = key.length == 16 ? 4 : 16;
        return new ElementKey(Arrays.copyOf(key, key.length - address));
    }
}
