package dev.pointsman.packet.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.netlink.KernelTest;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.ScenarioReader;
import dev.pointsman.packet.scenario.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/// Rules written by hand show that the world tells all outcomes apart.
final class KernelWorldTest {
    private static final String RULES =
            """
            add table inet by-hand
            flush table inet by-hand
            add chain inet by-hand translate { type nat hook prerouting priority -100 ; }
            add chain inet by-hand translate-own { type nat hook output priority -100 ; }
            add chain inet by-hand rewrite { type nat hook postrouting priority 100 ; }
            add chain inet by-hand forward { type filter hook forward priority 0 ; }
            add chain inet by-hand output { type filter hook output priority 0 ; }
            add chain inet by-hand services
            add chain inet by-hand refuse
            add rule inet by-hand translate jump services
            add rule inet by-hand translate-own jump services
            add rule inet by-hand services ip daddr 172.30.0.41 tcp dport 80 ip saddr != 10.0.0.0/8 meta mark set 0x4000
            add rule inet by-hand services ip daddr 172.30.0.41 tcp dport 80 dnat ip to numgen random mod 2 map { 0 : 10.180.0.1 . 8080, 1 : 10.180.1.1 . 8080 }
            add rule inet by-hand services ip daddr 172.30.0.41 udp dport 53 dnat ip to 10.180.0.1:5353
            add rule inet by-hand services ip daddr 192.168.0.2 tcp dport 3001 ip saddr != 203.0.113.3 dnat ip to 10.180.0.1:8080
            add rule inet by-hand services ip6 daddr fd00:172:30::41 tcp dport 80 dnat ip6 to [fd00:10:180::1]:8080
            add rule inet by-hand rewrite meta mark 0x4000 masquerade fully-random
            add rule inet by-hand rewrite ip saddr . ip daddr { 10.180.0.1 . 10.180.0.1 } masquerade
            add rule inet by-hand forward jump refuse
            add rule inet by-hand output jump refuse
            add rule inet by-hand refuse ip daddr 172.30.0.42 reject
            add rule inet by-hand refuse ip daddr 172.30.0.43 drop
            add rule inet by-hand refuse ip6 daddr fd00:172:30::42 reject
            """;
    private static final Scenario SCENARIO =
            ScenarioReader.read(
                    "by-hand.scenario",
                    """
                    # Every kind of outcome, from every origin.
                    node      this-node 192.168.0.2,192.168.1.2,fd00:192::2 pods=10.180.0.0/24
                    settings  cluster-range=10.0.0.0/8,fd00:10::/32
                    service   ns1/web:http tcp cluster=172.30.0.41:80,[fd00:172:30::41]:80 nodeport=3001
                    endpoint  ns1/web:http 10.180.0.1:8080 on=this-node
                    endpoint  ns1/web:http 10.180.1.1:8080 on=other-node
                    endpoint  ns1/web:http [fd00:10:180::1]:8080 on=this-node
                    service   ns1/dns:dns udp cluster=172.30.0.41:53
                    endpoint  ns1/dns:dns 10.180.0.1:5353 on=this-node
                    flow      pod      10.180.0.9      -> tcp 172.30.0.41:80       = 10.180.0.1:8080, 10.180.1.1:8080 source=kept
                    flow      pod      10.180.0.1      -> tcp 172.30.0.41:80       = 10.180.0.1:8080 source=node, 10.180.1.1:8080 source=kept
                    flow      host     192.168.0.2     -> tcp 172.30.0.41:80       = 10.180.0.1:8080, 10.180.1.1:8080 source=node
                    flow      outside  203.0.113.2     -> tcp 172.30.0.41:80       = 10.180.0.1:8080, 10.180.1.1:8080 source=node
                    flow      pod      10.180.0.9      -> udp 172.30.0.41:53       = 10.180.0.1:5353 source=kept
                    flow      pod      fd00:10:180::9  -> tcp [fd00:172:30::41]:80 = [fd00:10:180::1]:8080 source=kept
                    flow      pod      fd00:10:180::9  -> tcp [fd00:172:30::42]:80 = reject
                    flow      host     fd00:192::2     -> udp [fd00:172:30::42]:80 = reject
                    flow      outside  203.0.113.2     -> tcp 192.168.0.2:3001     = 10.180.0.1:8080 source=kept
                    flow      outside  203.0.113.3     -> tcp 192.168.0.2:3001     = untouched
                    flow      outside  203.0.113.2     -> udp 192.168.0.2:3001     = untouched
                    flow      host     127.0.0.1       -> tcp 127.0.0.1:3001       = untouched
                    flow      pod      10.180.0.9      -> tcp 1.2.3.4:80           = untouched
                    flow      host     192.168.1.2     -> udp 1.2.3.4:80           = untouched
                    flow      pod      10.180.0.9      -> tcp 172.30.0.42:80       = reject
                    flow      pod      10.180.0.9      -> udp 172.30.0.42:80       = reject
                    flow      host     192.168.0.2     -> tcp 172.30.0.42:80       = reject
                    flow      host     192.168.0.2     -> udp 172.30.0.42:80       = reject
                    flow      outside  203.0.113.2     -> tcp 172.30.0.42:80       = reject
                    flow      pod      10.180.0.9      -> tcp 172.30.0.43:80       = drop
                    flow      host     192.168.0.2     -> tcp 172.30.0.43:80       = drop
                    flow      host     192.168.0.2     -> udp 172.30.0.43:80       = drop
                    flow      outside  203.0.113.2     -> udp 172.30.0.43:80       = drop
                    empty
                    """);

    /// Loads one script for each sync.
    private record Scripts(Deque<String> scripts) implements Programmer {
        static Scripts of(String... scripts) {
            return new Scripts(new ArrayDeque<>(List.of(scripts)));
        }

        @Override
        public void program(Sync sync) throws IOException {
            Command.run(scripts.remove(), "nft", "-f", "-").succeeded();
        }

        @Override
        public void remove() throws IOException {
            Command.run("", "nft", "delete", "table", "inet", "by-hand").succeeded();
        }
    }

    @KernelTest
    void all_outcomes_are_told_apart() {
        KernelScenarios.play(SCENARIO, Scripts.of(RULES, ""));
    }

    @KernelTest
    void a_wrong_rule_is_reported_with_its_line() {
        String wrong =
                RULES.replace("172.30.0.43 drop", "172.30.0.43 reject")
                        .replace("172.30.0.41 udp dport 53", "172.30.0.41 udp dport 54")
                        .replace("1 : 10.180.1.1 . 8080", "1 : 10.180.0.1 . 8080")
                        .replace("ip saddr != 203.0.113.3 ", "");
        assertThatThrownBy(() -> KernelScenarios.play(SCENARIO, Scripts.of(wrong, "")))
                .isInstanceOf(AssertionError.class)
                .message()
                .contains("by-hand.scenario:10: pod 10.180.0.9 -> tcp 172.30.0.41:80")
                .contains("by-hand.scenario:14: pod 10.180.0.9 -> udp 172.30.0.41:53")
                .contains("by-hand.scenario:19: outside 203.0.113.3 -> tcp 192.168.0.2:3001")
                .contains("expected drop")
                .contains("seen     reject (1 times)")
                .doesNotContain("by-hand.scenario:15:")
                .doesNotContain("by-hand.scenario:17:");
    }

    @KernelTest
    void a_programmer_that_fails_is_reported_with_the_line_of_the_sync() {
        assertThatThrownBy(() -> KernelScenarios.play(SCENARIO, Scripts.of("nonsense")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("by-hand.scenario")
                .hasMessageContaining("nonsense");
    }

    @KernelTest
    void a_closed_world_leaves_no_namespace() throws Exception {
        try (KernelWorld world = KernelWorld.build(AddressPlan.of(SCENARIO))) {
            assertThat(world.node().file()).exists();
            assertThat(namespaces()).isNotEmpty();
        }
        assertThat(namespaces()).isEmpty();
    }

    private static List<String> namespaces() throws IOException {
        String mine = "pm-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> files = Files.list(Path.of("/var/run/netns"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(mine))
                    .toList();
        }
    }
}
