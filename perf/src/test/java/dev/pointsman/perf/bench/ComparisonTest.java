package dev.pointsman.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    @Test
    void what_lies_far_apart_gets_a_verdict() {
        assertThat(verdict(runs(100, 104), runs(50, 53))).isEqualTo(Comparison.Verdict.LOWER);
        assertThat(verdict(runs(50, 53), runs(100, 104))).isEqualTo(Comparison.Verdict.HIGHER);
    }

    @Test
    void ranges_that_meet_get_none() {
        assertThat(verdict(runs(100, 120), runs(110, 130)))
                .isEqualTo(Comparison.Verdict.WITHIN_SPREAD);
    }

    /// 20 between them, but as much between runs of the same thing.
    @Test
    void a_gap_no_wider_than_either_range_gets_none() {
        assertThat(verdict(runs(100, 120), runs(140, 142)))
                .isEqualTo(Comparison.Verdict.WITHIN_SPREAD);
    }

    @Test
    void one_run_tells_no_spread() {
        assertThat(verdict(runs(100), runs(1, 2))).isEqualTo(Comparison.Verdict.TOO_FEW_RUNS);
        assertThat(verdict(runs(1, 2), runs(100))).isEqualTo(Comparison.Verdict.TOO_FEW_RUNS);
    }

    @Test
    void the_ratio_is_that_of_medians() {
        assertThat(row(runs(100, 500, 110), runs(55, 54, 56)).ratio()).isEqualTo(0.5);
    }

    @Test
    void only_what_both_have_is_compared() {
        Results a =
                Samples.results(
                        List.of(
                                Samples.figures(Metric.PEAK, Samples.OURS, 100),
                                Samples.figures(Metric.CPU, Samples.OURS, 1)));
        Results b =
                Samples.results(
                        List.of(
                                Samples.figures(Metric.PEAK, Samples.OURS, 90),
                                Samples.figures(Metric.PEAK, Samples.THEIRS, 80)));
        assertThat(Comparison.of(a, b).rows())
                .extracting(Comparison.Row::metric, Comparison.Row::cell)
                .containsExactly(tuple(Metric.PEAK, Samples.OURS));
    }

    private static List<Figure> runs(double... millis) {
        return Samples.figures(Metric.FIRST_SYNC, Samples.OURS, millis);
    }

    private static Comparison.Row row(List<Figure> a, List<Figure> b) {
        return Comparison.of(Samples.results(List.of(a)), Samples.results(List.of(b)))
                .rows()
                .getFirst();
    }

    private static Comparison.Verdict verdict(List<Figure> a, List<Figure> b) {
        return row(a, b).verdict();
    }
}
