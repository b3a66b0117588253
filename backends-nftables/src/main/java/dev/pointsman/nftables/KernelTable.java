package dev.pointsman.nftables;

import dev.pointsman.graph.Family;
import dev.pointsman.netlink.NftElement;
import dev.pointsman.netlink.NftFamily;
import dev.pointsman.netlink.NftListedChain;
import dev.pointsman.netlink.NftListedRule;
import dev.pointsman.netlink.NftListedSet;
import dev.pointsman.netlink.NftSet;
import dev.pointsman.netlink.NftSocket;
import dev.pointsman.netlink.NftTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Our table as the kernel holds it, without what its dynamic sets remember.
///
/// @param dormant whether the kernel passes the table over
/// @param elements of each set, in the kernel's order
record KernelTable(
        boolean dormant,
        List<NftListedChain> chains,
        Map<String, List<NftListedRule>> rules,
        Map<String, NftSet> sets,
        Map<String, List<NftElement>> elements) {
    KernelTable {
        chains = List.copyOf(chains);
        rules = Collections.unmodifiableMap(rules);
        sets = Collections.unmodifiableMap(sets);
        elements = Collections.unmodifiableMap(elements);
    }

    /// The table, if it is there.
    static Optional<KernelTable> read(NftSocket socket, Family family) {
        NftFamily nft = RuleCode.family(family);
        String table = NftablesDataplane.TABLE;
        Optional<NftTable> listedTable = socket.table(nft, table);
        if (listedTable.isEmpty()) {
            return Optional.empty();
        }
        boolean dormant = listedTable.get().flags().contains(NftTable.Flag.DORMANT);
        Map<String, List<NftListedRule>> rules = new HashMap<>();
        for (NftListedRule rule : socket.rules(nft, table)) {
            rules.computeIfAbsent(rule.chain(), _ -> new ArrayList<>()).add(rule);
        }
        Map<String, NftSet> sets = new LinkedHashMap<>();
        Map<String, List<NftElement>> elements = new HashMap<>();
        for (NftListedSet listed : socket.sets(nft, table)) {
            NftSet set = listed.set();
            // An anonymous set belongs to its rule and goes with it.
            if (set.flags().contains(NftSet.Flag.ANONYMOUS)) {
                continue;
            }
            sets.put(set.name(), set);
            if (!set.flags().contains(NftSet.Flag.EVAL)) {
                List<NftElement> content = new ArrayList<>();
                socket.elements(nft, table, set.name(), content::add);
                elements.put(set.name(), content);
            }
        }
        return Optional.of(
                new KernelTable(dormant, socket.chains(nft, table), rules, sets, elements));
    }

    /// What the table holds, where it is as `wanted` says in the terms of `wanted`, and foreign
    /// elsewhere.
    Contents asSeenBy(Contents wanted, Family family) {
        Contents found = new Contents();
        sets.forEach(
                (name, held) -> {
                    if (wanted.sets().get(name)
                                    instanceof Contents.HeldSet.Ours(var set, var subject)
                            && set.isHeldAs(held, family)) {
                        found.add(set, subject);
                        addElements(set, wanted, found);
                    } else {
                        found.addForeignSet(name);
                    }
                });
        for (NftListedChain listed : chains) {
            String name = listed.chain().name();
            if (wanted.chains().get(name) instanceof Contents.HeldChain.Ours(var chain, var subject)
                    && listed.chain().hook().equals(chain.hook())
                    && holds(chain, family)) {
                found.add(chain, subject);
            } else {
                found.addForeignChain(name, listed.chain().hook());
            }
        }
        return found;
    }

    /// Elements that are wanted keep their owner, for the message should the kernel not let them
    /// go.
    private void addElements(NamedSet set, Contents wanted, Contents found) {
        Map<ElementKey, Element> ours = wanted.elements().getOrDefault(set.name(), Map.of());
        for (NftElement element : elements.getOrDefault(set.name(), List.of())) {
            Element same = ours.get(Contents.identity(element));
            Subject subject = same == null ? new Subject.Node() : same.subject();
            found.add(new Element(set, element, subject));
        }
    }

    private boolean holds(Chain chain, Family family) {
        List<NftListedRule> held = rules.getOrDefault(chain.name(), List.of());
        if (held.size() != chain.rules().size()) {
            return false;
        }
        for (int i = 0; i < held.size(); i++) {
            if (!held.get(i).sameAs(Encoding.encoded(chain.name(), chain.rules().get(i), family))) {
                return false;
            }
        }
        return true;
    }
}
