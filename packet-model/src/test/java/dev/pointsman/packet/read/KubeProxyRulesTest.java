package dev.pointsman.packet.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.packet.netfilter.Memory;
import dev.pointsman.packet.netfilter.Paths;
import dev.pointsman.packet.netfilter.Rule;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Step;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a real kube-proxy wrote, taken from the kernel, does in the model what a real kube-proxy
/// was measured to do.
final class KubeProxyRulesTest {
    private static final String POD = "10.8.0.9";
    private static final String OUTSIDE = "198.51.100.7";
    private static final String HOST = "192.0.2.10";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shop.iptables-nft",
                "shop.iptables-legacy",
                "shop.ip6tables-nft",
                "shop.ip6tables-legacy"
            })
    void everything_in_it_is_understood(String name) {
        Ruleset ruleset = Shop.iptables(name);
        List<Rule> rules = NftReaderTest.rules(ruleset);
        assertThat(ruleset.unread()).isEmpty();
        assertThat(rules)
                .hasSize(name.contains("ip6") ? 41 : 137)
                .allSatisfy(
                        rule ->
                                assertThat(rule.steps())
                                        .noneMatch(step -> step instanceof Step.Unknown));
    }

    @ParameterizedTest
    @CsvSource({
        // A cluster IP: all endpoints, the source kept for pods only.
        "tcp, POD, 10.96.0.10, 80, cni0 POD>10.8.0.1:8080 1/3 | cni0 POD>10.8.0.2:8080 1/3 | eth0 POD>10.8.1.1:8080 1/3",
        "tcp, OUT, 10.96.0.10, 80, cni0 10.8.0.254>10.8.0.1:8080 1/3 | cni0 10.8.0.254>10.8.0.2:8080 1/3 | eth0 HOST>10.8.1.1:8080 1/3",
        "tcp, HOST, 10.96.0.10, 80, cni0 10.8.0.254>10.8.0.1:8080 1/3 | cni0 10.8.0.254>10.8.0.2:8080 1/3 | eth0 HOST>10.8.1.1:8080 1/3",
        "udp, POD, 10.96.0.12, 53, cni0 POD>10.8.0.2:53 1/2 | eth0 POD>10.8.1.1:53 1/2",
        "sctp, OUT, 10.96.0.12, 53, cni0 10.8.0.254>10.8.0.2:53 1/2 | eth0 HOST>10.8.1.1:53 1/2",
        // A pod that is itself the endpoint chosen.
        "tcp, 10.8.0.1, 10.96.0.11, 80, cni0 10.8.0.1>10.8.0.2:8080 1/2 | cni0 10.8.0.254>10.8.0.1:8080 1/2",
        // An endpoint on the node's network sees the client itself.
        "tcp, OUT, 10.96.0.17, 80, here OUT>HOST:8080",
        // Source ranges bind pods too, on the balancer's address only.
        "tcp, OUT, 203.0.113.1, 80, cni0 OUT>10.8.0.1:8080 1/2 | cni0 OUT>10.8.0.2:8080 1/2",
        "tcp, 203.0.113.77, 203.0.113.1, 80, dropped RULE",
        "tcp, POD, 203.0.113.1, 80, dropped RULE",
        "tcp, 203.0.113.77, HOST, 30080, cni0 203.0.113.77>10.8.0.1:8080 1/2 | cni0 203.0.113.77>10.8.0.2:8080 1/2",
        // External policy Local: pods and the node reach all endpoints.
        "tcp, HOST, HOST, 30080, cni0 10.8.0.254>10.8.0.1:8080 1/3 | cni0 10.8.0.254>10.8.0.2:8080 1/3 | eth0 HOST>10.8.1.1:8080 1/3",
        "tcp, POD, HOST, 30080, cni0 POD>10.8.0.1:8080 1/3 | cni0 POD>10.8.0.2:8080 1/3 | eth0 POD>10.8.1.1:8080 1/3",
        "tcp, OUT, HOST, 32000, here OUT>HOST:32000",
        // External policy Cluster.
        "tcp, OUT, 203.0.113.2, 80, cni0 10.8.0.254>10.8.0.1:8080 1/3 | cni0 10.8.0.254>10.8.0.2:8080 1/3 | eth0 HOST>10.8.1.1:8080 1/3",
        "tcp, POD, 203.0.113.100, 80, cni0 10.8.0.254>10.8.0.1:8080 1/3 | cni0 10.8.0.254>10.8.0.2:8080 1/3 | eth0 HOST>10.8.1.1:8080 1/3",
        "tcp, OUT, HOST, 30081, cni0 10.8.0.254>10.8.0.1:8080 1/3 | cni0 10.8.0.254>10.8.0.2:8080 1/3 | eth0 HOST>10.8.1.1:8080 1/3",
        "tcp, 127.0.0.1, 127.0.0.1, 30081, cni0 10.8.0.254>10.8.0.1:8080 1/3 | cni0 10.8.0.254>10.8.0.2:8080 1/3 | eth0 HOST>10.8.1.1:8080 1/3",
        // No endpoints. The external address is not refused to the node itself.
        "tcp, OUT, 10.96.0.15, 80, rejected PORT_UNREACHABLE",
        "tcp, POD, 10.96.0.15, 80, rejected PORT_UNREACHABLE",
        "tcp, HOST, 10.96.0.15, 80, rejected PORT_UNREACHABLE",
        "tcp, OUT, 203.0.113.101, 80, rejected PORT_UNREACHABLE",
        "tcp, OUT, HOST, 30082, rejected PORT_UNREACHABLE",
        "tcp, HOST, 203.0.113.101, 80, eth0 HOST>203.0.113.101:80",
        // No local endpoints under both policies Local.
        "tcp, POD, 10.96.0.16, 80, dropped RULE",
        "tcp, OUT, HOST, 30083, dropped RULE",
        "tcp, POD, HOST, 30083, eth0 POD>10.8.1.1:8080 1/2 | eth0 POD>10.8.1.2:8080 1/2",
        "tcp, 10.8.1.1, HOST, 30083, eth0 10.8.1.1>10.8.1.2:8080 1/2 | eth0 HOST>10.8.1.1:8080 1/2 (answer lost)",
        // Addresses and ports that no Service has.
        "tcp, OUT, 10.96.0.99, 80, eth0 OUT>10.96.0.99:80",
        "tcp, OUT, 10.96.0.10, 81, eth0 OUT>10.96.0.10:81",
        "udp, OUT, 10.96.0.10, 80, eth0 OUT>10.96.0.10:80",
    })
    void both_variants_treat_packets_as_measured(
            String protocol, String from, String to, int port, String ends) {
        for (String variant : List.of("shop.iptables-nft", "shop.iptables-legacy")) {
            Paths paths =
                    Shop.follow(
                            Shop.iptables(variant),
                            Shop.packet(protocol, named(from), named(to), port),
                            Memory.blank());
            assertThat(Shop.ends(paths)).as(variant).isEqualTo(named(ends));
        }
    }

    private static String named(String text) {
        return text.replace("POD", POD).replace("OUT", OUTSIDE).replace("HOST", HOST);
    }

    @ParameterizedTest
    @CsvSource({
        "fd00:8::9, fd00:10:96::a, 80, cni0 fd00:8::9>fd00:8::1:8080 1/2 | eth0 fd00:8::9>fd00:8:0:1::1:8080 1/2",
        "2001:db8::7, fd00:10:96::a, 80, cni0 fd00:8::ff>fd00:8::1:8080 1/2 | eth0 2001:db8::10>fd00:8:0:1::1:8080 1/2",
        "2001:db8::7, 2001:db8::10, 30081, cni0 fd00:8::ff>fd00:8::1:8080 1/2 | eth0 2001:db8::10>fd00:8:0:1::1:8080 1/2",
        "::1, ::1, 30081, here ::1>::1:30081",
        "2001:db8::7, fd00:10:96::b, 80, eth0 2001:db8::7>fd00:10:96::b:80",
    })
    void both_variants_do_so_for_ipv6(String from, String to, int port, String ends) {
        for (String variant : List.of("shop.ip6tables-nft", "shop.ip6tables-legacy")) {
            Paths paths =
                    Shop.follow(
                            Shop.iptables(variant),
                            Shop.packet("tcp", from, to, port),
                            Memory.blank());
            assertThat(Shop.ends(paths)).as(variant).isEqualTo(ends);
        }
    }

    @Test
    void affinity_lasts_300_seconds_from_the_last_connection() {
        Ruleset rules = Shop.iptables("shop.iptables-nft");
        Memory first =
                Shop.follow(rules, Shop.packet("tcp", POD, "10.96.0.11", 80), Memory.blank())
                        .paths()
                        .getFirst()
                        .memory()
                        .withoutConnections();
        assertThat(ends(rules, first.later(300_000))).isEqualTo("cni0 10.8.0.9>10.8.0.1:8080");
        assertThat(ends(rules, first.later(300_001)))
                .isEqualTo("cni0 10.8.0.9>10.8.0.1:8080 1/2 | cni0 10.8.0.9>10.8.0.2:8080 1/2");
    }

    private static String ends(Ruleset rules, Memory memory) {
        return Shop.ends(Shop.follow(rules, Shop.packet("tcp", POD, "10.96.0.11", 80), memory));
    }

    /// The defaults in which the modes differ, and a fault that only the nftables mode has.
    @ParameterizedTest
    @CsvSource({
        "OUT, 10.96.0.10, 80, cni0 10.8.0.254>10.8.0.1:8080 1/3 | cni0 10.8.0.254>10.8.0.2:8080 1/3 | eth0 HOST>10.8.1.1:8080 1/3",
        "127.0.0.1, 127.0.0.1, 30081, here 127.0.0.1>127.0.0.1:30081",
        "HOST, 203.0.113.101, 80, rejected PORT_UNREACHABLE",
        "OUT, 10.96.0.99, 80, dropped RULE",
        "OUT, 10.96.0.10, 81, rejected PORT_UNREACHABLE",
        "10.8.1.1, HOST, 30083, eth0 10.8.1.1>10.8.1.1:8080 1/2 | eth0 10.8.1.1>10.8.1.2:8080 1/2 (answer lost)",
    })
    void the_nftables_mode_does_otherwise(String from, String to, int port, String ends) {
        Paths paths =
                Shop.follow(
                        NftReader.read(Shop.text("shop.nft")),
                        Shop.packet("tcp", named(from), named(to), port),
                        Memory.blank());
        assertThat(Shop.ends(paths)).isEqualTo(named(ends));
    }
}
