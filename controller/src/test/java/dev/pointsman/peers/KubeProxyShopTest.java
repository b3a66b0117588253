package dev.pointsman.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// `verify` over the rules that a real kube-proxy writes for the shop. `-Dgolden=update` saves them
/// for [SavedShopTest].
@Tag("peers")
class KubeProxyShopTest {
    @KernelTest
    void the_nftables_mode_has_its_known_faults_and_no_other(@TempDir Path folder)
            throws Exception {
        verify(folder, ProxyMode.NFTABLES);
    }

    @KernelTest(tools = {"iptables-save", "ip6tables-save"})
    void the_iptables_mode_has_its_known_faults_and_no_other(@TempDir Path folder)
            throws Exception {
        verify(folder, ProxyMode.IPTABLES);
    }

    private static void verify(Path folder, ProxyMode mode) throws Exception {
        Situation situation = Shop.situation(mode, Peers.FIRST);
        try (Peers peers = Peers.start(folder, Shop.SERVICE_RANGES);
                TestNamespace node = TestNamespace.create()) {
            for (IpAddress address : situation.node().addresses()) {
                node.run("ip", "addr", "add", address.toString(), "dev", "lo");
            }
            int number = peers.hold(peers.feed().objects(Shop.FILE));
            KubeProxy.Start start =
                    new KubeProxy.Start(mode, situation.node(), situation.settings());
            Map<Difference, String> seen = new LinkedHashMap<>();
            try (KubeProxy proxy =
                    node.namespace().call(() -> KubeProxy.start(peers, start, number))) {
                for (Family family : proxy.start().families()) {
                    String dump = node.namespace().call(() -> mode.dump(family));
                    if ("update".equals(System.getProperty("golden"))) {
                        Files.writeString(Shop.dump(mode, family), dump);
                    }
                    Situation.Verdict verdict = situation.verify(family, mode.read(dump, family));
                    assertThat(verdict.others()).isEmpty();
                    seen.putAll(verdict.differences(mode, "shop"));
                }
            }
            assertThat(new KnownDifferences().complaints(mode, "shop", seen)).isEmpty();
        }
    }
}
