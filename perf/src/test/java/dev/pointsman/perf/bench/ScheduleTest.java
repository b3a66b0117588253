package dev.pointsman.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    @Test
    void proxies_take_turns_under_one_cluster_before_the_next() {
        List<Proxy> proxies =
                List.of(new Proxy("ours", List.of("a")), new Proxy("theirs", List.of("b")));
        Suite suite =
                Suite.SMALL.with(
                        List.of(Samples.cell(10, "").shape(), Samples.cell(20, "").shape()));
        assertThat(Schedule.of(suite, List.of("nftables"), proxies).turns())
                .extracting(Schedule.Turn::file)
                .containsExactly(
                        "nftables-10x5-ours-1",
                        "nftables-10x5-theirs-1",
                        "nftables-10x5-ours-2",
                        "nftables-10x5-theirs-2",
                        "nftables-20x5-ours-1",
                        "nftables-20x5-theirs-1",
                        "nftables-20x5-ours-2",
                        "nftables-20x5-theirs-2");
    }
}
