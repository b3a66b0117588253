package dev.pointsman.perf.bench;

import dev.pointsman.perf.ClusterShape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// How much is measured.
///
/// @param shapes smaller clusters first. Under the last of them everything is measured, under the
///   others what makes a curve
/// @param rounds how often each proxy is played in each mode under each cluster
/// @param changes timed in each run
/// @param scaleDowns in each run
/// @param patience how long a first sync may take; a proxy that takes longer is not tried with
///   larger clusters
/// @param wiped how long Services may stay away after their rules were wiped
record Suite(
        String name,
        List<ClusterShape> shapes,
        int rounds,
        int changes,
        int scaleDowns,
        Duration patience,
        Duration wiped) {
    /// To its end in four minutes on two processors, with kube-proxy, in two modes.
    static final Suite SMALL =
            new Suite(
                    "small",
                    List.of(
                            new ClusterShape(100, 5),
                            new ClusterShape(400, 5),
                            new ClusterShape(1_600, 5)),
                    2,
                    3,
                    8,
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(3));

    /// Hours.
    static final Suite FULL =
            new Suite(
                    "full",
                    List.of(
                            new ClusterShape(100, 5),
                            new ClusterShape(1_000, 5),
                            new ClusterShape(5_000, 5),
                            new ClusterShape(30_000, 1),
                            new ClusterShape(10_000, 15),
                            new ClusterShape(5_000, 50),
                            new ClusterShape(1_000, 250),
                            new ClusterShape(10_000, 5)),
                    4,
                    20,
                    200,
                    Duration.ofMinutes(2),
                    Duration.ofMinutes(2));

    Suite {
        shapes = List.copyOf(shapes);
    }

    /// Those with a name, by name.
    static Map<String, Suite> named() {
        return new TreeMap<>(Map.of(SMALL.name, SMALL, FULL.name, FULL));
    }

    /// The same with other clusters, and with a name that tells.
    Suite with(List<ClusterShape> others) {
        String scales =
                String.join(
                        " ",
                        others.stream()
                                .map(each -> each.services() + "x" + each.endpoints())
                                .toList());
        return new Suite(name + " " + scales, others, rounds, changes, scaleDowns, patience, wiped);
    }

    /// Whether everything is measured under this cluster.
    boolean isThorough(ClusterShape shape) {
        return shape.equals(shapes.getLast());
    }
}
