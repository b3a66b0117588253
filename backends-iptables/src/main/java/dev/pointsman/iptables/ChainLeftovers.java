package dev.pointsman.iptables;

import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.netlink.NftOwnCommits;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// The chains of Service proxies, and the jumps into them. What is kubelet's stays: KUBE-FIREWALL,
/// KUBE-MARK-DROP, KUBE-KUBELET-CANARY, KUBE-IPTABLES-HINT.
final class ChainLeftovers {
    private ChainLeftovers() {}

    /// Those of one family, in the order of the variants.
    static List<Leftovers> look(Family family) {
        List<Leftovers> all = new ArrayList<>();
        try {
            for (Variant variant : VariantSearch.installed(family)) {
                all.addAll(look(new Programs(family, variant)));
            }
        } catch (DataplaneUnavailable e) {
            all.add(new Leftovers.Unreadable(e));
        }
        return all;
    }

    private static List<Leftovers> look(Programs programs) {
        Programs.Answer saved = programs.save();
        if (!saved.isSuccess()) {
            return List.of(new Leftovers.Unreadable(programs.unavailable(saved)));
        }
        List<Leftovers> all = new ArrayList<>();
        byMaker(SavedRules.read(saved.output()))
                .forEach(
                        (maker, rules) -> {
                            List<String> objects = objects(rules);
                            if (!objects.isEmpty()) {
                                all.add(found(programs, maker, rules, objects));
                            }
                        });
        return all;
    }

    private static Leftovers.Found found(
            Programs programs, Leftovers.Maker maker, SavedRules rules, List<String> objects) {
        return new Leftovers.Found(
                programs.name("") + " " + programs.family().title(),
                maker,
                objects,
                () ->
                        KubeChains.commit(
                                Tool.of(programs, new NftOwnCommits()),
                                removal(rules, programs.family()).restores()));
    }

    /// Whose chains are whose. Both use the same names. Where our canary stands, all is ours: a
    /// repair has taken over what kube-proxy had there. If kube-proxy came back since, it wrote
    /// over what both have, and ours is what it knows nothing of, with the canary.
    static SortedMap<Leftovers.Maker, SavedRules> byMaker(SavedRules rules) {
        SortedMap<Leftovers.Maker, SavedRules> makers = new TreeMap<>();
        if (!rules.hasOurCanary()) {
            makers.put(Leftovers.Maker.KUBE_PROXY, rules);
        } else if (!rules.hasChainsOfKubeProxy()) {
            makers.put(Leftovers.Maker.POINTSMAN, rules);
        } else {
            Predicate<Chain.Key> ours =
                    key -> ChainNames.isOursAlone(key) || key.name().equals(ChainNames.CANARY);
            makers.put(
                    Leftovers.Maker.POINTSMAN, rules.part(ours, SavedRules.FoundJump::isOursAlone));
            makers.put(
                    Leftovers.Maker.KUBE_PROXY,
                    rules.part(ours.negate(), jump -> !jump.isOursAlone()));
        }
        return makers;
    }

    /// What [#removal] removes.
    static List<String> objects(SavedRules rules) {
        List<String> objects = new ArrayList<>();
        for (SavedRules.FoundJump jump : rules.jumps()) {
            if (!jump.isShared()) {
                objects.add(
                        "jump " + jump.table().keyword() + " " + jump.from() + " " + jump.rule());
            }
        }
        rules.chains().stream()
                .map(
                        key ->
                                "chain "
                                        + key.table().keyword()
                                        + " "
                                        + key.name()
                                        + (rules.isUsedByOthers(key)
                                                ? " (its rules only: a chain of others leads to it)"
                                                : ""))
                .sorted()
                .forEach(objects::add);
        return objects;
    }

    static IptablesTransaction removal(SavedRules rules, Family family) {
        return Renderer.repair(rules, RuleGraph.nothing(family), Capabilities.USUAL);
    }
}
