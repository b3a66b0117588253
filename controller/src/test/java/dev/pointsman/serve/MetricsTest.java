package dev.pointsman.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.Generated;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Names, labels, buckets and values.
final class MetricsTest {
    private static final Path GOLDEN = Path.of("src/test/resources/metrics");

    @ParameterizedTest
    @ValueSource(strings = {"nftables", "iptables", "ipvs"})
    void what_a_mode_measures_is_as_written_down(String mode) throws Exception {
        Answer page = Measured.in(mode).page();
        Generated.check(GOLDEN.resolve(mode + ".txt"), page.body());
        assertThat(page.headers())
                .containsEntry("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    }
}
