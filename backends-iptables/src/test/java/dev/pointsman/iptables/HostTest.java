package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Mode;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

final class HostTest {
    private static final String KUBELET = "*mangle\n:KUBE-IPTABLES-HINT - [0:0]\nCOMMIT\n";
    private static final String PROXY =
            "*nat\n:KUBE-SERVICES - [0:0]\n"
                    + "-A KUBE-SERVICES -j ACCEPT\n".repeat(11)
                    + "COMMIT\n";

    @Test
    void kubelets_chains_decide_the_variant() {
        assertThat(VariantSearch.choose(KUBELET, PROXY).variant()).isEqualTo(Variant.NFT);
        assertThat(VariantSearch.choose(PROXY, KUBELET).variant()).isEqualTo(Variant.LEGACY);
        assertThat(VariantSearch.choose("", PROXY).variant()).isEqualTo(Variant.LEGACY);
        assertThat(VariantSearch.choose("", "").variant()).isEqualTo(Variant.NFT);
    }

    @Test
    void rules_in_the_other_variant_are_reported() {
        assertThat(VariantSearch.warning(VariantSearch.choose(KUBELET, PROXY)))
                .hasValueSatisfying(
                        text ->
                                assertThat(text)
                                        .contains("1 chains", "(KUBE-SERVICES)", "cleanup"));
        assertThat(VariantSearch.warning(VariantSearch.choose(KUBELET, KUBELET))).isEmpty();
    }

    @Test
    void programs_wait_as_their_version_can() {
        assertThat(Programs.waiting(1_06_02)).containsExactly("-w", "2", "-W", "100000");
        assertThat(Programs.waiting(1_08_09)).containsExactly("-w", "2");
        assertThatThrownBy(() -> Programs.waiting(1_06_01))
                .isInstanceOf(DataplaneUnavailable.class)
                .hasMessageContaining("install a later one");
    }

    @Test
    void the_holder_of_the_lock_is_found_among_those_who_wait() {
        List<String> locks =
                List.of(
                        "1: POSIX  ADVISORY  WRITE 10 00:1a:999 0 EOF",
                        "2: FLOCK  ADVISORY  WRITE 4711 00:1a:1234 0 EOF",
                        "2: -> FLOCK  ADVISORY  WRITE 4712 00:1a:1234 0 EOF");
        assertThat(XtablesLock.holder(locks, "1234")).contains("4711");
        assertThat(XtablesLock.holder(locks, "5")).isEmpty();
    }

    @Test
    void the_mode_is_found_by_its_name() {
        assertThat(ServiceLoader.load(Mode.class).stream().map(p -> p.get().name()))
                .contains("iptables");
    }
}
