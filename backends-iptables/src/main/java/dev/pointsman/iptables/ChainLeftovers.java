package dev.pointsman.iptables;

import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.RuleGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The chains of Service proxies, and the jumps into them. What is kubelet's stays: KUBE-FIREWALL,
/// KUBE-MARK-DROP, KUBE-KUBELET-CANARY, KUBE-IPTABLES-HINT.
final class ChainLeftovers {
    private ChainLeftovers() {}

    /// Those of one family, in the order of the variants.
    static List<Leftovers> look(Family family) {
        List<Leftovers> all = new ArrayList<>();
        try {
            for (Variant variant : VariantSearch.installed(family)) {
                look(new Programs(family, variant)).ifPresent(all::add);
            }
        } catch (DataplaneUnavailable e) {
            all.add(new Leftovers.Unreadable(e));
        }
        return all;
    }

    private static Optional<Leftovers> look(Programs programs) {
        Programs.Answer saved = programs.save();
        if (!saved.isSuccess()) {
            return Optional.of(new Leftovers.Unreadable(programs.unavailable(saved)));
        }
        SavedRules rules = SavedRules.read(saved.output());
        List<String> objects = objects(rules);
        return objects.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Leftovers.Found(
                                programs.name("") + " " + programs.family().title(),
                                maker(rules),
                                objects,
                                () ->
                                        KubeChains.commit(
                                                host(programs),
                                                removal(rules, programs.family()).restores())));
    }

    /// Both use the same names. Where our canary stands, all is ours: a repair has taken over what
    /// kube-proxy had there.
    static Leftovers.Maker maker(SavedRules rules) {
        return rules.hasOurCanary() ? Leftovers.Maker.POINTSMAN : Leftovers.Maker.KUBE_PROXY;
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

    /// A removal depends on no capability, so none is tried out.
    private static Host host(Programs programs) {
        return new Host(programs, programs.waiting(), Capabilities.USUAL);
    }
}
