package dev.pointsman.perf.bench;

import dev.pointsman.perf.ClusterShape;
import java.util.List;

/// What Pointsman means to be measured by (docs/performance.md), as far as it can be seen from
/// outside a process.
///
/// @param number in that list
/// @param modes in which it is promised
/// @param shape the cluster that it is promised for
/// @param most that the statistic may be, in the metric's unit
record Promise(
        int number,
        String words,
        List<String> modes,
        ClusterShape shape,
        Metric metric,
        Statistic statistic,
        double most) {
    private static final List<String> NFTABLES = List.of("nftables");
    private static final List<String> IPTABLES = List.of("iptables");
    private static final List<String> ALL = List.of("nftables", "iptables", "ipvs");

    /// The cluster of those that hold for any.
    private static final ClusterShape ANY = new ClusterShape(10_000, 5);

    static final List<Promise> ALL_OF_THEM =
            List.of(
                    firstSync(1, NFTABLES, new ClusterShape(10_000, 5), 500),
                    firstSync(2, NFTABLES, new ClusterShape(5_000, 50), 2_000),
                    new Promise(
                            5,
                            "change to first packet, p99",
                            NFTABLES,
                            ANY,
                            Metric.CHANGE,
                            Statistic.P99,
                            10),
                    firstSync(6, IPTABLES, new ClusterShape(5_000, 5), 4_000),
                    new Promise(
                            9,
                            "what rules cost a new connection, beside one constant rule",
                            ALL,
                            ANY,
                            Metric.RULES_COST,
                            Statistic.WORST,
                            1),
                    new Promise(
                            10,
                            "memory with children",
                            NFTABLES,
                            new ClusterShape(10_000, 15),
                            Metric.RESIDENT,
                            Statistic.WORST,
                            128),
                    none(11, "writes when nothing changed", Metric.RESTART_WRITES),
                    none(11, "connections lost in a restart", Metric.RESTART_LOST),
                    none(12, "to an endpoint removed 50 ms before", Metric.LATE),
                    none(12, "connections lost during scale-downs", Metric.LOST));

    /// Which of many numbers counts.
    enum Statistic {
        WORST,
        P99;

        /// @param figures at least one
        private double of(Metric metric, List<Figure> figures) {
            return switch (this) {
                case WORST -> Range.of(figures).most();
                case P99 ->
                        Results.together(figures)
                                .map(nanos -> metric.unit().of(nanos.getValueAtPercentile(99)))
                                .orElseGet(() -> Range.of(figures).most());
            };
        }
    }

    /// How it stands.
    enum Standing {
        KEPT("kept"),
        MISSED("missed"),
        /// With another cluster than it is promised for.
        ELSEWHERE("not measured at this size");

        private final String words;

        Standing(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    Promise {
        modes = List.copyOf(modes);
    }

    private static Promise firstSync(
            int number, List<String> modes, ClusterShape shape, double millis) {
        return new Promise(
                number,
                "first sync (here the start of the process is in it)",
                modes,
                shape,
                Metric.FIRST_SYNC,
                Statistic.WORST,
                millis);
    }

    private static Promise none(int number, String words, Metric metric) {
        return new Promise(number, words, ALL, ANY, metric, Statistic.WORST, 0);
    }

    private boolean isOfAnySize() {
        return most == 0;
    }

    /// As in `≤ 10 ms at 10000x5`.
    String target() {
        String limit = most == 0 ? "0" : "≤ " + Summary.amount(metric, most);
        return isOfAnySize() ? limit : limit + " at " + shape.services() + "x" + shape.endpoints();
    }

    /// @param figures of one cell, at least one
    Standing standing(Cell cell, List<Figure> figures) {
        if (!isOfAnySize() && !cell.shape().equals(shape)) {
            return Standing.ELSEWHERE;
        }
        return statistic.of(metric, figures) <= most ? Standing.KEPT : Standing.MISSED;
    }
}
