package dev.pointsman.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import dev.pointsman.packet.scenario.Scenarios;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// Tables of the two proxies beside those of others.
final class LeftoversKernelTest {

    @KernelTest
    void each_proxys_tables_are_found_and_go_alone() throws Exception {
        try (TestNamespace node = TestNamespace.create()) {
            node.feed(kubeProxysTables(), "nft", "-f", "-");
            node.feed(
                    "add table ip pointsman\nadd table ip6 kube-proxy-metrics\n", "nft", "-f", "-");
            String everything = node.run("nft", "list", "ruleset");
            List<Leftovers.Found> found =
                    node.namespace()
                            .call(
                                    () ->
                                            new NftablesMode()
                                                    .leftovers().stream()
                                                            .map(Leftovers.Found.class::cast)
                                                            .toList());
            assertThat(found)
                    .extracting(Leftovers.Found::maker, Leftovers.Found::objects)
                    .containsExactly(
                            tuple(Leftovers.Maker.POINTSMAN, List.of("table ip pointsman")),
                            tuple(Leftovers.Maker.KUBE_PROXY, List.of("table ip kube-proxy")),
                            tuple(Leftovers.Maker.KUBE_PROXY, List.of("table ip6 kube-proxy")));
            assertThat(node.run("nft", "list", "ruleset"))
                    .as("a look writes nothing")
                    .isEqualTo(everything);

            for (Leftovers.Found each : found.subList(1, 3)) {
                assertThat(node.namespace().call(() -> each.removal().remove()))
                        .isInstanceOf(Commit.Applied.class);
            }
            assertThat(node.run("nft", "list", "tables").lines())
                    .containsExactly("table ip pointsman", "table ip6 kube-proxy-metrics");
        }
    }

    private static String kubeProxysTables() throws Exception {
        String file = "/dev/pointsman/packet/read/kube-proxy/shop.nft";
        try (InputStream dump =
                Objects.requireNonNull(Scenarios.class.getResourceAsStream(file), file)) {
            return new String(dump.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
