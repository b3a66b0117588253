package dev.pointsman.iptables;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The restores that turn one content into another.
///
/// On iptables-nft the time of a restore grows with the square of the chains that it makes, so many
/// new chains are made in portions. Nothing leads to them before the last restore, which changes
/// what is there: up to it packets meet the old rules, after it the new ones.
public final class Difference {
    // About 100 Services with two chains each (docs/backends/iptables.md, measured).
    static final int PORTION = 200;

    private static final Subject NODE = new Subject.Node();

    private final List<Chain> made = new ArrayList<>();
    private final List<Chain> cleared = new ArrayList<>();
    private final List<Chain> filled = new ArrayList<>();
    private final List<Chain> deleted = new ArrayList<>();
    private final Map<Table, List<Restore.JumpChange>> jumps = new EnumMap<>(Table.class);

    private Difference() {}

    /// From one content of ours to another.
    public static List<Restore> between(Contents before, Contents after) {
        Difference difference = new Difference();
        after.chains()
                .forEach(
                        (key, chain) -> {
                            Chain was = before.chains().get(key);
                            if (was == null) {
                                difference.made.add(chain);
                            } else if (!was.rules().equals(chain.rules())) {
                                difference.rewrite(chain);
                            }
                        });
        before.chains()
                .forEach(
                        (key, chain) -> {
                            if (!after.chains().containsKey(key)) {
                                difference.remove(chain);
                            }
                        });
        before.jumps().stream()
                .filter(jump -> !after.jumps().contains(jump))
                .forEach(
                        jump ->
                                difference.change(
                                        jump.table(),
                                        new Restore.JumpChange.Delete(
                                                jump.from(), jump.rule().text())));
        Map<Place, Integer> next = new HashMap<>();
        for (Jump jump : after.jumps()) {
            int place = next.merge(new Place(jump.table(), jump.from()), 1, Integer::sum);
            if (!before.jumps().contains(jump)) {
                difference.insert(jump, place);
            }
        }
        return difference.restores();
    }

    /// From what the kernel holds.
    static List<Restore> between(SavedRules found, Contents after) {
        Difference difference = new Difference();
        Set<Chain.Key> wanted = new HashSet<>();
        after.chains()
                .forEach(
                        (key, chain) -> {
                            wanted.add(key);
                            switch (found.comparedWith(chain)) {
                                case MISSING -> difference.made.add(chain);
                                case DIFFERENT -> difference.correct(chain);
                                case EQUAL -> {}
                            }
                        });
        for (Chain.Key key : found.chains()) {
            if (!wanted.contains(key)) {
                Chain stale = new Chain(key, List.of(), NODE);
                if (!found.isUsedByOthers(key)) {
                    difference.remove(stale);
                } else if (found.comparedWith(stale) == SavedRules.Comparison.DIFFERENT) {
                    difference.rewrite(stale);
                }
            }
        }
        difference.jumps(found, after);
        return difference.restores();
    }

    private record Place(Table table, String chain) {}

    private void jumps(SavedRules found, Contents after) {
        List<SavedRules.FoundJump> surplus = new ArrayList<>(found.jumps());
        Map<Place, Integer> next = new HashMap<>();
        List<Jump> missing = new ArrayList<>();
        for (Jump jump : after.jumps()) {
            surplus.stream()
                    .filter(candidate -> candidate.isLike(jump))
                    .findFirst()
                    .ifPresentOrElse(surplus::remove, () -> missing.add(jump));
        }
        for (SavedRules.FoundJump jump : surplus) {
            if (!jump.isShared()) {
                change(jump.table(), new Restore.JumpChange.Delete(jump.from(), jump.rule()));
            }
        }
        for (Jump jump : after.jumps()) {
            int place = next.merge(new Place(jump.table(), jump.from()), 1, Integer::sum);
            if (missing.contains(jump)) {
                insert(jump, place);
            }
        }
    }

    /// A chain that is not ours alone keeps what others wrote.
    private void correct(Chain chain) {
        if (!chain.name().equals(ChainNames.FIREWALL)) {
            rewrite(chain);
            return;
        }
        for (Rule rule : chain.rules()) {
            change(chain.table(), new Restore.JumpChange.Insert(chain.name(), rule.text(), 1));
        }
    }

    private void rewrite(Chain chain) {
        cleared.add(chain);
        filled.add(chain);
    }

    /// KUBE-FIREWALL is kubelet's as well, and what it drops stays dangerous: it is left.
    private void remove(Chain chain) {
        if (!chain.name().equals(ChainNames.FIREWALL)) {
            cleared.add(chain);
            deleted.add(chain);
        }
    }

    private void insert(Jump jump, int place) {
        change(jump.table(), new Restore.JumpChange.Insert(jump.from(), jump.rule().text(), place));
    }

    private void change(Table table, Restore.JumpChange change) {
        jumps.computeIfAbsent(table, _ -> new ArrayList<>()).add(change);
    }

    private List<Restore> restores() {
        List<Restore> restores = new ArrayList<>();
        int start = 0;
        while (made.size() - start > PORTION) {
            List<Chain> portion = made.subList(start, start + PORTION);
            restores.add(restore(portion, portion, Map.of(), List.of()));
            start += PORTION;
        }
        List<Chain> rest = made.subList(start, made.size());
        List<Chain> allCleared = new ArrayList<>(rest);
        allCleared.addAll(cleared);
        List<Chain> allFilled = new ArrayList<>(rest);
        allFilled.addAll(filled);
        restores.add(restore(allCleared, allFilled, jumps, deleted));
        return restores;
    }

    private static Restore restore(
            List<Chain> cleared,
            List<Chain> filled,
            Map<Table, List<Restore.JumpChange>> jumps,
            List<Chain> deleted) {
        Map<Table, Restore.Part> parts = new EnumMap<>(Table.class);
        for (Table table : Table.values()) {
            parts.put(
                    table,
                    new Restore.Part(
                            in(table, cleared),
                            in(table, filled),
                            jumps.getOrDefault(table, List.of()),
                            in(table, deleted)));
        }
        return new Restore(parts);
    }

    private static List<Chain> in(Table table, List<Chain> chains) {
        return chains.stream().filter(chain -> chain.table() == table).toList();
    }
}
