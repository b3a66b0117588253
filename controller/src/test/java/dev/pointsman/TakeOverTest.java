package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.graph.Family;
import dev.pointsman.sync.InMemoryKernel;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What `run --take-over` removes, and when.
final class TakeOverTest {
    private final InMemoryMode nftables = new InMemoryMode();
    private final InMemoryMode iptables = new InMemoryMode("iptables");
    private final InMemoryMode ipvs = new InMemoryMode("ipvs", "iptables");
    private final Console console =
            new Console(() -> List.of(nftables, iptables, ipvs), "worker-1");
    private final List<String> removed = new ArrayList<>();

    private int run(String... options) {
        return console.run(
                InputStream.nullInputStream(),
                Stream.concat(
                                Stream.of(
                                        "run",
                                        "--once",
                                        "--snapshot",
                                        "../deploy/examples/shop.yaml"),
                                Stream.of(options))
                        .toList());
    }

    private void holds(InMemoryMode mode, String place, Leftovers.Maker maker) {
        mode.holds(
                new Leftovers.Found(
                        place,
                        maker,
                        List.of("something", "something else"),
                        () -> {
                            // The rules are in place before anything goes.
                            assertThat(isProgrammed()).isTrue();
                            removed.add(place);
                            return new Commit.Applied();
                        }));
    }

    private boolean isProgrammed() {
        return Stream.of(nftables, iptables, ipvs)
                .anyMatch(mode -> !mode.kernel(Family.IPV4).held().frontends().isEmpty());
    }

    private void everybodyWasHere() {
        for (Leftovers.Maker maker : Leftovers.Maker.values()) {
            holds(nftables, "nft of " + maker.word(), maker);
            holds(iptables, "chains of " + maker.word(), maker);
            holds(ipvs, "sets of " + maker.word(), maker);
        }
    }

    @Test
    void everything_goes_but_what_the_mode_lives_of() {
        everybodyWasHere();
        assertThat(run("--mode", "nftables", "--take-over")).isZero();
        assertThat(removed)
                .containsExactlyInAnyOrder(
                        "chains of pointsman",
                        "sets of pointsman",
                        "chains of either",
                        "sets of either",
                        "nft of kube-proxy",
                        "chains of kube-proxy",
                        "sets of kube-proxy");
        assertThat(console.err.toString())
                .contains("took over from kube-proxy: removed 2 objects of chains of kube-proxy");
    }

    @Test
    void rules_go_before_the_sets_they_refer_to() {
        everybodyWasHere();
        assertThat(run("--mode", "nftables", "--take-over")).isZero();
        assertThat(removed)
                .containsSubsequence("chains of kube-proxy", "sets of kube-proxy")
                .containsSubsequence("chains of pointsman", "sets of pointsman");
    }

    @Test
    void mode_ipvs_lives_of_chains_as_well() {
        everybodyWasHere();
        assertThat(run("--mode", "ipvs", "--take-over")).isZero();
        assertThat(removed)
                .contains("nft of pointsman", "chains of kube-proxy")
                .doesNotContain("chains of pointsman", "sets of pointsman");
    }

    @Test
    void nothing_goes_unless_it_is_asked_for() {
        everybodyWasHere();
        assertThat(run("--mode", "nftables")).isZero();
        assertThat(removed).isEmpty();
    }

    @Test
    void nothing_goes_while_something_is_not_in_place() {
        everybodyWasHere();
        nftables.kernel(Family.IPV6).is(InMemoryKernel.Mood.REFUSING_EVERYTHING);
        assertThat(run("--mode", "nftables", "--take-over")).isEqualTo(Exit.UNREACHABLE);
        assertThat(removed).isEmpty();
        assertThat(console.err.toString()).contains("nothing was taken over");
    }

    @Test
    void what_cannot_be_removed_is_said_and_stops_nothing() {
        holds(nftables, "nft of kube-proxy", Leftovers.Maker.KUBE_PROXY);
        iptables.holds(
                new Leftovers.Unreadable(
                        new DataplaneUnavailable("no iptables-save", new IllegalStateException())));
        assertThat(run("--mode", "nftables", "--take-over")).isZero();
        assertThat(removed).containsExactly("nft of kube-proxy");
        assertThat(console.err.toString())
                .contains("no iptables-save; pointsman cleanup --kube-proxy tries it again");
    }
}
