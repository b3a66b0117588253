package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServicePortName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ChainNamesTest {

    /// The vectors of the behaviour document, 3.1.3.
    @ParameterizedTest
    @CsvSource({
        "1, XPGD46QRK7WJZT7O",
        "2, GNZBNJ2PO5MGZ6GT",
        "4, 4SW47YFZTEDKD3PK",
        "5, NUKIZ6OKUXPJNT4C"
    })
    void hashes_are_those_of_kube_proxy(int number, String hash) {
        ServicePortName owner = owner(number);
        assertThat(ChainNames.pool(owner, Pool.Scope.CLUSTER)).isEqualTo("KUBE-SVC-" + hash);
        assertThat(ChainNames.pool(owner, Pool.Scope.LOCAL)).isEqualTo("KUBE-SVL-" + hash);
        assertThat(ChainNames.external(owner)).isEqualTo("KUBE-EXT-" + hash);
        assertThat(ChainNames.sources(owner)).isEqualTo("KUBE-FW-" + hash);
    }

    @Test
    void an_endpoint_has_a_hash_of_its_own() {
        Endpoint endpoint =
                new Endpoint(IpAddress.parse("10.180.0.1"), 80, Endpoint.Place.THIS_NODE);
        assertThat(ChainNames.endpoint(owner(1), endpoint)).isEqualTo("KUBE-SEP-SXIVWICOYRO3J4NJ");
    }

    @Test
    void chains_of_kubelet_and_others_are_not_ours() {
        assertThat(ChainNames.isOurs("KUBE-SEP-SXIVWICOYRO3J4NJ")).isTrue();
        assertThat(ChainNames.isOurs("KUBE-PROXY-FIREWALL")).isTrue();
        assertThat(ChainNames.isOurs("KUBE-IP-10.96.0.48/28")).isTrue();
        assertThat(ChainNames.isOurs("KUBE-IP-fd00:10:96::/60")).isTrue();
        assertThat(ChainNames.isOurs("KUBE-CIP-10.96.0.1/32-tcp")).isTrue();
        assertThat(ChainNames.isOurs("KUBE-NP-tcp-30000-30015")).isTrue();
        assertThat(ChainNames.isOurs("KUBE-IP-SXIVWICOYRO3J4NJ")).isTrue();
        assertThat(ChainNames.isOurs("KUBE-IP-MASQ-AGENT")).isFalse();
        assertThat(ChainNames.isOurs("KUBE-NP-CONTROLLER")).isFalse();
        assertThat(ChainNames.isOurs("KUBE-SVC-MINE")).isFalse();
        assertThat(ChainNames.isOurs("KUBE-FIREWALL")).isFalse();
        assertThat(ChainNames.isOurs("KUBE-KUBELET-CANARY")).isFalse();
        assertThat(ChainNames.isOurs("KUBE-IPTABLES-HINT")).isFalse();
        assertThat(ChainNames.isOurs("CNI-HOSTPORT-DNAT")).isFalse();
    }

    private static ServicePortName owner(int number) {
        return new ServicePortName(
                new ServiceName("ns" + number, "svc" + number), "p80", Protocol.TCP);
    }
}
