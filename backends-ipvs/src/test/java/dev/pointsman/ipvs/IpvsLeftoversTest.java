package dev.pointsman.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.dataplane.Leftovers.Maker;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Which sets, virtual servers and addresses are whose, and what is said of them.
final class IpvsLeftoversTest {
    private static final String OURS = "KUBE-SERVICE-IP";
    private static final String THEIRS = "KUBE-CLUSTER-IP";
    private static final IpAddress CLUSTER_IP = IpAddress.parse("10.96.0.1");
    private static final IpAddress NODE = IpAddress.parse("192.0.2.11");

    private static Remains remains(List<String> sets, List<String> addresses, ServerKey... all) {
        return new Remains(
                sets,
                true,
                addresses.stream()
                        .map(IpAddress::parse)
                        .map(address -> new Remains.Bound(address, address.family().bits()))
                        .toList(),
                Set.of(NODE),
                List.of(all));
    }

    private static ServerKey tcp(IpAddress address, int port) {
        return new ServerKey(address, Protocol.TCP, port);
    }

    private static List<Leftovers.Found> found(Remains remains) {
        return IpvsLeftovers.of(remains).stream()
                .filter(Leftovers.Found.class::isInstance)
                .map(Leftovers.Found.class::cast)
                .toList();
    }

    private static List<String> lines(Remains remains) {
        List<String> lines = new ArrayList<>();
        for (Leftovers.Found each : found(remains)) {
            each.objects()
                    .forEach(
                            object ->
                                    lines.add(
                                            each.maker().word()
                                                    + ": "
                                                    + each.place()
                                                    + " "
                                                    + object));
        }
        return lines;
    }

    @Test
    void what_goes_is_told_in_the_words_of_its_tools_and_in_the_order_in_which_it_can_go() {
        assertThat(
                        lines(
                                remains(
                                        List.of(OURS, THEIRS),
                                        List.of("10.96.0.1", "192.0.0.8", "fd00:10:96::1"),
                                        tcp(CLUSTER_IP, 443),
                                        tcp(IpAddress.parse("192.0.0.8"), 30080),
                                        tcp(IpAddress.parse("fd00:10:96::1"), 443),
                                        tcp(IpAddress.parse("10.200.0.1"), 443))))
                .containsExactly(
                        "pointsman: ipvsadm -t 192.0.0.8:30080",
                        "either: ipvsadm -t 10.96.0.1:443",
                        "either: ipvsadm -t [fd00:10:96::1]:443",
                        "kube-proxy: ipset KUBE-CLUSTER-IP",
                        "pointsman: ipset KUBE-SERVICE-IP",
                        "pointsman: ip address 192.0.0.8/32 dev kube-ipvs0",
                        "either: ip address 10.96.0.1/32 dev kube-ipvs0",
                        "either: ip address fd00:10:96::1/128 dev kube-ipvs0",
                        "either: ip link kube-ipvs0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ''                              | 10.96.0.1           | KUBE_PROXY
                    KUBE-IPVS-IPS                   | 10.96.0.1           | KUBE_PROXY
                    KUBE-6-CLUSTER-IP               | 10.96.0.1           | KUBE_PROXY
                    KUBE-SERVICE-IP                 | 10.96.0.1           | POINTSMAN
                    KUBE-6-SERVICE-IP               | 10.96.0.1           | POINTSMAN
                    KUBE-CLUSTER-IP KUBE-SERVICE-IP | 10.96.0.1           | EITHER
                    KUBE-CLUSTER-IP                 | 10.96.0.1 192.0.0.8 | EITHER
                    KUBE-TMP                        | 10.96.0.1           | POINTSMAN
                    ''                              | 10.96.0.1 192.0.0.8 | POINTSMAN
                    KUBE-6-LOOP-BACK                | 10.96.0.1 192.0.0.8 | POINTSMAN
                    """)
    void what_both_have_is_whose_the_rest_is(String sets, String addresses, Maker maker) {
        Remains remains =
                remains(
                        Stream.of(sets.split(" ")).filter(set -> !set.isEmpty()).toList(),
                        List.of(addresses.split(" ")),
                        tcp(CLUSTER_IP, 443));
        assertThat(remains.maker(CLUSTER_IP)).isEqualTo(maker);
        assertThat(remains.maker(Family.IPV4)).isEqualTo(maker);
        assertThat(remains.makerOfDevice()).isEqualTo(maker);
    }

    /// Its own sets are smaller: it would not write its rules beside a larger one of that name.
    @ParameterizedTest
    @EnumSource
    void no_set_has_a_name_that_kube_proxy_makes_sets_under(ServiceSet set) {
        for (Family family : Family.values()) {
            assertThat(KubeProxySets.isLeftover(set.name(family), family)).isFalse();
        }
    }

    @Test
    void a_device_on_which_kube_proxy_has_the_other_family_is_not_ours() {
        assertThat(
                        lines(
                                remains(
                                        List.of(OURS, "KUBE-6-CLUSTER-IP"),
                                        List.of("192.0.0.8", "fd00:10:96::1"))))
                .containsExactly(
                        "kube-proxy: ipset KUBE-6-CLUSTER-IP",
                        "pointsman: ipset KUBE-SERVICE-IP",
                        "pointsman: ip address 192.0.0.8/32 dev kube-ipvs0",
                        "kube-proxy: ip address fd00:10:96::1/128 dev kube-ipvs0",
                        "kube-proxy: ip link kube-ipvs0");
    }

    @Test
    void virtual_servers_on_addresses_of_the_node_stay_and_are_told() {
        Remains remains =
                remains(
                        List.of(THEIRS),
                        List.of("10.96.0.1"),
                        tcp(CLUSTER_IP, 443),
                        tcp(NODE, 30080),
                        tcp(NODE, 30081),
                        tcp(NODE, 30082),
                        tcp(NODE, 30083));
        assertThat(lines(remains)).noneMatch(line -> line.contains("192.0.2.11"));
        assertThat(IpvsLeftovers.of(remains).getLast())
                .isEqualTo(
                        new Leftovers.Staying(
                                Maker.KUBE_PROXY,
                                "virtual servers on addresses of this node, of node ports or"
                                        + " external IPs or other people's (-t 192.0.2.11:30080, -t"
                                        + " 192.0.2.11:30081, -t 192.0.2.11:30082 and 1 more)",
                                "`ipvsadm -Ln` shows them, `ipvsadm -D -t 192.0.2.11:30080`"
                                        + " removes one"));
    }

    /// Each of the sets, the device, its address and what lies on it may be there or not.
    static Stream<Remains> subsets() {
        List<Remains> all = new ArrayList<>();
        for (int bits = 0; bits < 1 << 5; bits++) {
            List<String> sets = new ArrayList<>();
            if ((bits & 1) != 0) {
                sets.add(OURS);
            }
            if ((bits & 2) != 0) {
                sets.add(THEIRS);
            }
            boolean device = (bits & 4) != 0;
            all.add(
                    new Remains(
                            sets,
                            device,
                            device && (bits & 8) != 0
                                    ? List.of(new Remains.Bound(CLUSTER_IP, 32))
                                    : List.of(),
                            Set.of(),
                            (bits & 16) != 0 ? List.of(tcp(CLUSTER_IP, 443)) : List.of()));
        }
        return all.stream();
    }

    @Test
    void each_subset_of_leftovers_is_all_that_goes() {
        subsets()
                .forEach(
                        remains -> {
                            List<String> expected = new ArrayList<>();
                            if (!remains.addresses().isEmpty() && !remains.servers().isEmpty()) {
                                expected.add("-t 10.96.0.1:443");
                            }
                            expected.addAll(remains.sets());
                            if (!remains.addresses().isEmpty()) {
                                expected.add("address 10.96.0.1/32 dev kube-ipvs0");
                            }
                            if (remains.device()) {
                                expected.add("link kube-ipvs0");
                            }
                            assertThat(found(remains).stream().flatMap(f -> f.objects().stream()))
                                    .as("%s", remains)
                                    .containsExactlyElementsOf(expected);
                        });
    }
}
