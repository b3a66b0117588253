package dev.pointsman.packet.netfilter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All ways that a packet can take; their probabilities add up to 1.
public record Paths(List<Path> paths) {
    public Paths {
        paths = merged(paths);
    }

    private static List<Path> merged(List<Path> paths) {
        if (paths.size() == 1) {
            return List.copyOf(paths);
        }
        Map<Path, Fraction> shares = new LinkedHashMap<>();
        for (Path path : paths) {
            shares.merge(path.asLikelyAs(Fraction.ONE), path.probability(), Fraction::plus);
        }
        return shares.entrySet().stream()
                .map(entry -> entry.getKey().asLikelyAs(entry.getValue()))
                .toList();
    }

    /// The ends, each with the chance that the packet meets it.
    public Map<Fate, Fraction> fates() {
        Map<Fate, Fraction> fates = new LinkedHashMap<>();
        for (Path path : paths) {
            fates.merge(path.fate(), path.probability(), Fraction::plus);
        }
        return fates;
    }

    /// Whether everything that any of the paths met was understood.
    public boolean isTrustworthy() {
        return paths.stream().allMatch(path -> path.notes().isEmpty());
    }
}
