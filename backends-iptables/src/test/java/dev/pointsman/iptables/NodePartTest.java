package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.LocalDetector;
import dev.pointsman.graph.NodePortAddresses;
import dev.pointsman.graph.NodePortAddresses.Loopback;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.Settings;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class NodePartTest {

    @Test
    void every_address_answers_with_loopback_or_without() {
        assertThat(conditions(Family.IPV4, Loopback.ANSWERS, new NodePortAddresses.All()))
                .containsExactly("-m addrtype --dst-type LOCAL");
        assertThat(conditions(Family.IPV4, Loopback.SILENT, new NodePortAddresses.All()))
                .containsExactly("! -d 127.0.0.0/8 -m addrtype --dst-type LOCAL");
        assertThat(conditions(Family.IPV6, Loopback.ANSWERS, new NodePortAddresses.All()))
                .containsExactly("! -d ::1/128 -m addrtype --dst-type LOCAL");
    }

    @Test
    void loopback_is_cut_out_of_a_range_that_holds_it() {
        assertThat(conditions(Family.IPV4, Loopback.SILENT, within("126.0.0.0/7", "127.1.0.0/16")))
                .containsExactly("-d 126.0.0.0/8 -m addrtype --dst-type LOCAL");
        assertThat(conditions(Family.IPV4, Loopback.ANSWERS, within("192.168.0.0/24")))
                .containsExactly(
                        "-d 192.168.0.0/24 -m addrtype --dst-type LOCAL",
                        "-d 127.0.0.0/8 -m addrtype --dst-type LOCAL");
        assertThat(conditions(Family.IPV4, Loopback.SILENT, within())).isEmpty();
    }

    @Test
    void what_the_kernel_cannot_do_is_left_out() {
        NodePart plain =
                new NodePart(
                        Family.IPV4,
                        rules(Loopback.SILENT, new NodePortAddresses.All()),
                        new Capabilities(
                                Capabilities.RandomFully.MISSING,
                                Capabilities.InvalidPackets.LEFT_ALONE));
        assertThat(plain.last())
                .flatExtracting(Chain::rules)
                .extracting(Rule::text)
                .noneMatch(text -> text.contains("--random-fully"))
                .noneMatch(text -> text.contains("INVALID"))
                .anyMatch(text -> text.endsWith("-j MASQUERADE"));
    }

    private static NodePortAddresses within(String... ranges) {
        return new NodePortAddresses.Within(
                new TreeSet<>(Arrays.stream(ranges).map(Cidr::parse).toList()));
    }

    private static List<String> conditions(
            Family family, Loopback loopback, NodePortAddresses addresses) {
        return new NodePart(family, rules(loopback, addresses), Capabilities.USUAL)
                .toNodePorts().stream()
                        .map(rule -> rule.text().replaceFirst(" -m comment .*", ""))
                        .toList();
    }

    private static NodeRules.Programmed rules(Loopback loopback, NodePortAddresses addresses) {
        return new NodeRules.Programmed(
                0x4000,
                new LocalDetector.None(),
                addresses,
                loopback,
                Settings.ClusterIpGuard.OFF,
                Collections.emptySortedSet(),
                Collections.emptySortedSet(),
                Collections.emptySortedSet(),
                IpvsSettings.DEFAULTS);
    }
}
