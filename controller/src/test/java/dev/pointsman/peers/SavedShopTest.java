package dev.pointsman.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.verify.Disagreement;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// `verify` over the rules that kube-proxy 1.37.2 wrote for the shop ([KubeProxyShopTest] saved
/// them), and over the same with something wrong in them.
final class SavedShopTest {
    record Change(String from, String to) {}

    /// Rules that something was done to.
    ///
    /// @param object whose packets fare otherwise
    /// @param witness the flow of one of them, as far as it matters
    record Broken(
            String what, ProxyMode mode, List<Change> changes, String object, String witness) {
        @Override
        public String toString() {
            return mode + ", " + what;
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void kube_proxys_rules_have_the_known_faults_and_no_other(ProxyMode mode) throws IOException {
        Map<Difference, String> seen = new LinkedHashMap<>();
        for (Family family : Family.values()) {
            Situation.Verdict verdict = verdict(mode, family, dump(mode, family));
            assertThat(verdict.others()).isEmpty();
            seen.putAll(verdict.differences(mode, "shop"));
        }
        assertThat(new KnownDifferences().complaints(mode, "shop", seen)).isEmpty();
    }

    @Test
    void whom_the_rules_remember_says_nothing_about_them() throws IOException {
        String set = "set affinity-H4R52E3Y-shop/cart/tcp/__10.244.1.11/8081 {";
        String dump = dump(ProxyMode.NFTABLES, Family.IPV4);
        String remembering =
                dump.replace(set, set + "\n\t\telements = { 10.244.1.10 timeout 3h expires 2h }");
        assertThat(remembering).isNotEqualTo(dump);
        assertThat(verdict(ProxyMode.NFTABLES, Family.IPV4, remembering).others()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("broken")
    void what_is_broken_in_them_is_shown_by_a_packet(Broken broken) throws IOException {
        String dump = dump(broken.mode(), Family.IPV4);
        for (Change change : broken.changes()) {
            assertThat(dump).contains(change.from());
            dump = dump.replace(change.from(), change.to());
        }
        Situation.Verdict verdict = verdict(broken.mode(), Family.IPV4, dump);
        assertThat(verdict.others())
                .extracting(Disagreement::object)
                .isNotEmpty()
                .contains(broken.object());
        assertThat(verdict.others())
                .filteredOn(each -> each.object().equals(broken.object()))
                .anySatisfy(each -> assertThat(each.toString()).contains(broken.witness()));
    }

    static List<Broken> broken() {
        return List.of(
                new Broken(
                        "a dead endpoint left",
                        ProxyMode.NFTABLES,
                        List.of(
                                new Change(
                                        "\tchain service-IJTWSMUZ-shop/cart/tcp/ {",
                                        """
                                        \tchain endpoint-OLD-shop/cart/tcp/__10.244.9.9/8081 {
                                        \t\tmeta l4proto tcp dnat to 10.244.9.9:8081
                                        \t}

                                        \tchain service-IJTWSMUZ-shop/cart/tcp/ {"""),
                                new Change(
                                        "numgen random mod 2 vmap {",
                                        "numgen random mod 3 vmap { 2 : goto"
                                                + " endpoint-OLD-shop/cart/tcp/__10.244.9.9/8081,")),
                        "Service shop/cart",
                        "10.244.9.9:8081"),
                new Broken(
                        "no refusal of other ports of a cluster IP",
                        ProxyMode.NFTABLES,
                        List.of(
                                new Change(
                                        "ip daddr @cluster-ips reject comment",
                                        "ip daddr @cluster-ips counter comment")),
                        "no Service has this port of the cluster IP",
                        "drop"),
                new Broken(
                        "another range of pods",
                        ProxyMode.NFTABLES,
                        List.of(
                                new Change(
                                        "ip saddr != 10.244.0.0/16 meta mark",
                                        "ip saddr != 10.244.0.0/17 meta mark")),
                        "Service shop/cart",
                        "10.244.128.0"),
                new Broken(
                        "another bit of the mark",
                        ProxyMode.NFTABLES,
                        List.of(new Change("meta mark & 0x00004000", "meta mark & 0x00008000")),
                        "Service shop/web:http",
                        ":30080"),
                new Broken(
                        "an element missing",
                        ProxyMode.NFTABLES,
                        List.of(
                                new Change(
                                        "10.96.10.3 . tcp . 80 : goto"
                                                + " service-IJTWSMUZ-shop/cart/tcp/,",
                                        "")),
                        "Service shop/cart",
                        "10.96.10.3:80"),
                new Broken(
                        "a dead endpoint left",
                        ProxyMode.IPTABLES,
                        List.of(
                                new Change(
                                        ":KUBE-SERVICES - [0:0]\n:KUBE-SVC",
                                        ":KUBE-SERVICES - [0:0]\n:KUBE-SEP-OLD - [0:0]\n:KUBE-SVC"),
                                new Change(
                                        "-A KUBE-SVC-QZXVB4262RMI2WPB -m comment",
                                        "-A KUBE-SVC-QZXVB4262RMI2WPB -m statistic --mode random"
                                                + " --probability 0.10000000000 -j KUBE-SEP-OLD\n"
                                                + "-A KUBE-SVC-QZXVB4262RMI2WPB -m comment"),
                                new Change(
                                        "-A KUBE-SERVICES -d 10.96.10.6/32",
                                        "-A KUBE-SEP-OLD -p tcp -m tcp -j DNAT --to-destination"
                                                + " 10.244.9.9:8080\n"
                                                + "-A KUBE-SERVICES -d 10.96.10.6/32")),
                        "Service shop/legacy-api:http",
                        "10.244.9.9:8080"),
                new Broken(
                        "no REJECT",
                        ProxyMode.IPTABLES,
                        List.of(
                                new Change(
                                        "-j REJECT --reject-with icmp-port-unreachable",
                                        "-m comment --comment gone")),
                        "Service shop/reports:http",
                        "10.96.10.7:80"),
                new Broken(
                        "another bit of the mark",
                        ProxyMode.IPTABLES,
                        List.of(
                                new Change(
                                        "! --mark 0x4000/0x4000 -j RETURN",
                                        "! --mark 0x8000/0x8000 -j RETURN")),
                        "Service shop/web:http",
                        ":30080"),
                new Broken(
                        "a rule of KUBE-SERVICES missing",
                        ProxyMode.IPTABLES,
                        List.of(
                                new Change(
                                        "-m comment --comment \"shop/cart cluster IP\" -m tcp"
                                                + " --dport 80 -j",
                                        "-m comment --comment \"shop/cart cluster IP\" -m tcp"
                                                + " --dport 81 -j")),
                        "Service shop/cart",
                        "10.96.10.3:80"));
    }

    private static Situation.Verdict verdict(ProxyMode mode, Family family, String dump) {
        return Shop.situation(mode, Peers.FIRST).verify(family, mode.read(dump, family));
    }

    private static String dump(ProxyMode mode, Family family) throws IOException {
        return Files.readString(Shop.dump(mode, family));
    }
}
