package dev.pointsman.iptables;

import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.graph.Family;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds out which variant the node uses, the way kube-proxy's image does: where kubelet has its
/// chains; without any, where there are more rules; nf_tables when all is empty.
final class VariantSearch {
    private static final List<String> KUBELETS =
            List.of(":KUBE-IPTABLES-HINT ", ":KUBE-KUBELET-CANARY ");
    private static final int MANY = 10;

    private VariantSearch() {}

    /// @param rulesElsewhere chains of ours, or of kube-proxy, in the other variant
    record Found(Variant variant, String reason, List<String> rulesElsewhere) {}

    static Found search(Family family) {
        List<Variant> installed = installed(family);
        if (installed.size() == 1) {
            return new Found(installed.getFirst(), "the only one installed", List.of());
        }
        return choose(saved(family, Variant.NFT), saved(family, Variant.LEGACY));
    }

    /// The variants whose programs are there, one at least.
    static List<Variant> installed(Family family) {
        List<Variant> installed =
                Stream.of(Variant.values())
                        .filter(variant -> new Programs(family, variant).areInstalled())
                        .toList();
        if (installed.isEmpty()) {
            throw new DataplaneUnavailable(
                    "mode iptables: neither "
                            + new Programs(family, Variant.NFT).name("-restore")
                            + " nor "
                            + new Programs(family, Variant.LEGACY).name("-restore")
                            + " is installed; install iptables 1.8 or later",
                    new IOException("no program"));
        }
        return installed;
    }

    private static String saved(Family family, Variant variant) {
        return new Programs(family, variant).save().output();
    }

    /// @param nft what the programs of that variant save
    static Found choose(String nft, String legacy) {
        if (hasKubelet(nft)) {
            return found(Variant.NFT, "kubelet's chains are there", legacy);
        }
        if (hasKubelet(legacy)) {
            return found(Variant.LEGACY, "kubelet's chains are there", nft);
        }
        if (rules(legacy) > MANY && rules(legacy) > rules(nft)) {
            return found(Variant.LEGACY, "most rules are there", nft);
        }
        return found(Variant.NFT, "kubelet has no chains in either", legacy);
    }

    /// As [#choose] when somebody has decided.
    static Found decided(Family family, Variant variant) {
        Variant other =
                switch (variant) {
                    case NFT -> Variant.LEGACY;
                    case LEGACY -> Variant.NFT;
                };
        Programs elsewhere = new Programs(family, other);
        return found(
                variant,
                "as configured",
                elsewhere.areInstalled() ? elsewhere.save().output() : "");
    }

    private static Found found(Variant variant, String reason, String elsewhere) {
        return new Found(
                variant,
                reason,
                SavedRules.read(elsewhere).chains().stream()
                        .map(Chain.Key::name)
                        .distinct()
                        .sorted()
                        .toList());
    }

    private static boolean hasKubelet(String saved) {
        return KUBELETS.stream().anyMatch(saved::contains);
    }

    private static long rules(String saved) {
        return saved.lines().filter(line -> line.startsWith("-A ")).count();
    }

    /// What the operator should know of rules in the other variant.
    static Optional<String> warning(Found found) {
        List<String> chains = found.rulesElsewhere();
        return chains.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "packets also meet "
                                + chains.size()
                                + " chains of a Service proxy in the other variant than iptables-"
                                + found.variant().word()
                                + " ("
                                + String.join(", ", chains.subList(0, Math.min(3, chains.size())))
                                + "); remove them with `pointsman cleanup --kube-proxy`");
    }
}
