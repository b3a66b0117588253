package dev.pointsman.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.packet.scenario.Scenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class KnownDifferencesTest {
    private static final Path DOCUMENTATION =
            Path.of("..", "docs", "differences-from-kube-proxy.md");

    @ParameterizedTest
    @EnumSource
    void every_fault_is_a_row_of_the_documentation(Fault fault) throws IOException {
        assertThat(Files.readAllLines(DOCUMENTATION))
                .anyMatch(line -> line.startsWith("| `" + fault.title() + "` |"));
    }

    @Test
    void every_place_in_the_table_is_a_scenario_or_the_shop() {
        Set<String> places = new HashSet<>(Set.of("shop"));
        Scenarios.all().forEach(each -> places.add(each.file().replace(".scenario", "")));
        assertThat(places).containsAll(new KnownDifferences().places());
    }

    @Test
    void what_is_listed_must_happen_and_what_happens_must_be_listed() {
        Difference unlisted =
                new Difference.OfFlow(ProxyMode.NFTABLES, "udp", "pod 1.2.3.4 -> udp 1.2.3.5:53");
        assertThat(
                        new KnownDifferences()
                                .complaints(
                                        ProxyMode.IPTABLES, "shop", Map.of(unlisted, "seen so")))
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("not listed: ").endsWith("seen so"),
                        second -> assertThat(second).startsWith("listed, but it is not so: "));
    }

    @Test
    void what_happens_sometimes_may_happen_or_not() {
        Difference contested =
                new Difference.OfRules(
                        ProxyMode.NFTABLES, "contested-external-ip", Fault.CONTESTED_ADDRESS);
        for (Map<Difference, String> seen :
                List.of(Map.<Difference, String>of(), Map.of(contested, ""))) {
            assertThat(
                            new KnownDifferences()
                                    .complaints(ProxyMode.NFTABLES, "contested-external-ip", seen))
                    .isEmpty();
        }
    }
}
