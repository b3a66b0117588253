package dev.pointsman.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FitTest {
    @Test
    void twice_the_size_and_twice_the_time_is_exponent_one() {
        assertThat(fit(Map.of(100, 7.0, 200, 14.0, 400, 28.0))).isCloseTo(1, within(1e-9));
    }

    @Test
    void ten_times_the_size_and_a_hundred_times_the_time_is_exponent_two() {
        assertThat(fit(Map.of(10, 1.0, 100, 100.0, 1_000, 10_000.0))).isCloseTo(2, within(1e-9));
    }

    @Test
    void what_does_not_grow_is_exponent_zero() {
        assertThat(fit(Map.of(10, 5.0, 100, 5.0, 1_000, 5.0))).isCloseTo(0, within(1e-9));
    }

    @Test
    void two_sizes_are_no_curve() {
        assertThat(Fit.of(new TreeMap<>(Map.of(10, 1.0, 100, 2.0)))).isEmpty();
    }

    private static double fit(Map<Integer, Double> points) {
        return Fit.of(new TreeMap<>(points)).orElseThrow().exponent();
    }
}
