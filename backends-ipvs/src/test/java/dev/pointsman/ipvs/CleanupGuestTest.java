package dev.pointsman.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Draining;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.dataplane.Leftovers.Maker;
import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.TrafficPolicy;
import dev.pointsman.guest.GuestTest;
import dev.pointsman.iptables.IptablesMode;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Whatever either proxy left in a real IPVS goes, and nothing else.
@GuestTest
final class CleanupGuestTest {
    private static final int MILLIS = 20_000;

    /// Virtual servers for a mark, on another dummy device, on an address of the node (as
    /// kube-proxy's node ports are) and on no address of it; sets with names like the proxies'.
    private static final String DECOYS =
            """
            set -e
            ip link add other0 type dummy
            ip address add 192.0.2.11/24 dev other0
            ip address add fd00:2::11/64 dev other0 nodad
            ip link set other0 up
            ip link add decoy0 type dummy
            ip address add 10.200.0.1/32 dev decoy0
            ipvsadm -A -f 7 -s rr
            ipvsadm -A -t 10.200.0.1:443 -s wlc
            ipvsadm -a -t 10.200.0.1:443 -r 192.0.2.20:6443 -m -w 3
            ipvsadm -A -t 192.0.2.11:30080 -s rr
            ipvsadm -a -t 192.0.2.11:30080 -r 192.0.2.20:80 -m
            ipvsadm -A -u 10.99.0.1:53 -s rr
            ipvsadm -A -t '[fd00:2::11]:6443' -s rr
            ipset create KUBE-SRC-OF-KUBE-ROUTER hash:ip
            ipset add KUBE-SRC-OF-KUBE-ROUTER 10.96.0.1
            ipset create KUBE-CLUSTER-IPS hash:ip
            iptables-nft -A INPUT -m set --match-set KUBE-SRC-OF-KUBE-ROUTER src -j ACCEPT
            """;

    private static final String CHAINS =
            """
            set -e
            iptables-nft -t nat -N KUBE-SERVICES
            iptables-nft -t nat -A PREROUTING -j KUBE-SERVICES
            """;
    private static final String SETS =
            """
            set -e
            ipset create KUBE-CLUSTER-IP hash:ip,port
            ipset create KUBE-6-CLUSTER-IP hash:ip,port family inet6
            ipset create KUBE-IPVS-IPS hash:ip
            ! iptables-nft -t nat -n -L KUBE-SERVICES 2>/dev/null >&2 ||
              iptables-nft -t nat -A KUBE-SERVICES -m set --match-set KUBE-CLUSTER-IP dst,dst -j ACCEPT
            """;
    private static final String DEVICE =
            """
            set -e
            ip link add kube-ipvs0 type dummy
            ip address add 10.96.0.1/32 dev kube-ipvs0
            ip address add fd00:10:96::1/128 dev kube-ipvs0
            """;
    private static final String SERVERS =
            """
            set -e
            ipvsadm -A -t 10.96.0.1:443 -s rr
            ipvsadm -a -t 10.96.0.1:443 -r 192.0.2.21:6443 -m
            ipvsadm -A -t '[fd00:10:96::1]:443' -s rr
            """;

    private static TestNamespace decoys() {
        TestNamespace node = TestNamespace.create();
        node.run("sh", "-c", DECOYS);
        return node;
    }

    @KernelTest(tools = {"ipvsadm", "ipset", "iptables-nft"})
    void what_pointsman_wrote_goes_and_a_second_run_finds_nothing() throws Exception {
        try (TestNamespace node = decoys()) {
            String before = held(node);
            node.namespace().call(CleanupGuestTest::load);
            assertThat(held(node)).contains("KUBE-SERVICE-IP", "-A -t 10.96.0.7:80");

            List<Leftovers> look = leftovers(node);
            assertThat(found(look))
                    .extracting(Leftovers.Found::maker)
                    .containsOnly(Maker.POINTSMAN);
            assertThat(look.getLast()).isInstanceOf(Leftovers.Staying.class);
            assertThat(removeAll(node, look)).hasOnlyElementsOfType(Commit.Applied.class);
            assertThat(held(node)).isEqualTo(before);
            assertThat(leftovers(node)).isEmpty();
        }
    }

    @KernelTest(tools = {"ipvsadm", "ipset", "iptables-nft"})
    void each_subset_of_what_kube_proxy_left_goes() throws Exception {
        try (TestNamespace node = decoys()) {
            String before = held(node);
            for (int bits = 1; bits < 1 << 3; bits++) {
                if ((bits & 1) != 0) {
                    node.run("sh", "-c", CHAINS);
                }
                if ((bits & 2) != 0) {
                    node.run("sh", "-c", SETS);
                }
                if ((bits & 4) != 0) {
                    node.run("sh", "-c", DEVICE);
                    node.run("sh", "-c", SERVERS);
                }
                List<Leftovers> look = leftovers(node);
                assertThat(found(look))
                        .as("subset %s", bits)
                        .extracting(Leftovers.Found::maker)
                        .containsOnly(Maker.KUBE_PROXY);
                assertThat(removeAll(node, look))
                        .as("subset %s", bits)
                        .hasOnlyElementsOfType(Commit.Applied.class);
                look.removeIf(
                        each ->
                                each instanceof Leftovers.Found(var place, _, _, _)
                                        && place.startsWith("iptables"));
                assertThat(removeAll(node, look))
                        .as("subset %s: what is gone already is no failure", bits)
                        .allMatch(Commit.Applied.class::isInstance);
                assertThat(held(node)).as("subset %s", bits).isEqualTo(before);
                assertThat(leftovers(node)).as("subset %s", bits).isEmpty();
            }
        }
    }

    @KernelTest(tools = "ipvsadm")
    void a_real_server_drains_as_long_as_it_has_a_connection() throws Exception {
        try (TestNamespace node = decoys()) {
            node.run("sh", "-c", DEVICE);
            node.run("ipvsadm", "-A", "-t", "10.96.0.1:80", "-s", "rr");
            node.run("ipvsadm", "-a", "-t", "10.96.0.1:80", "-r", "192.0.2.11:8080", "-m");
            node.run(
                    "ipvsadm",
                    "-a",
                    "-t",
                    "10.96.0.1:80",
                    "-r",
                    "192.0.2.12:8080",
                    "-m",
                    "-w",
                    "0");
            List<Draining> draining = node.namespace().call(() -> whileConnected(node));
            assertThat(draining)
                    .containsExactly(new Draining("10.96.0.1:80/tcp", "192.0.2.11:8080", 1, 0));
        }
    }

    private static List<Draining> whileConnected(TestNamespace node) throws Exception {
        try (ServerSocket server = new ServerSocket();
                Socket client = new Socket()) {
            server.bind(new InetSocketAddress("192.0.2.11", 8080));
            client.connect(new InetSocketAddress("10.96.0.1", 80), MILLIS);
            assertThat(new IpvsMode().draining()).as("before it drains").isEmpty();
            node.run(
                    "ipvsadm",
                    "-e",
                    "-t",
                    "10.96.0.1:80",
                    "-r",
                    "192.0.2.11:8080",
                    "-m",
                    "-w",
                    "0");
            return new IpvsMode().draining();
        }
    }

    private static boolean load() {
        for (Family family : Family.values()) {
            Planner planner =
                    new Planner(
                            family,
                            new NodeView(
                                    "here",
                                    "",
                                    List.of(
                                            IpAddress.parse("192.0.2.11"),
                                            IpAddress.parse("fd00:2::11")),
                                    List.of()),
                            Settings.ipvsDefaults());
            RuleGraph nothing = planner.graph();
            Delta delta = planner.plan(List.of(service(Family.IPV4), service(Family.IPV6)));
            try (Dataplane dataplane = new IpvsMode(IptablesMode.Choice.NFT).dataplane(family)) {
                Delta all = Delta.between(RuleGraph.nothing(family), delta.applyTo(nothing));
                assertThat(dataplane.commit(dataplane.render(RuleGraph.nothing(family), all)))
                        .isEqualTo(new Commit.Applied());
            }
        }
        return true;
    }

    private static ServiceState service(Family family) {
        boolean isFirst = family == Family.IPV4;
        ServiceName name = new ServiceName("shop", isFirst ? "four" : "six");
        Service service =
                new Service(
                        name,
                        Instant.EPOCH,
                        Service.Type.NODE_PORT,
                        new Service.Addresses(
                                List.of(IpAddress.parse(isFirst ? "10.96.0.7" : "fd00:10:96::7")),
                                List.of(),
                                List.of()),
                        List.of(),
                        TrafficPolicy.CLUSTER,
                        TrafficPolicy.CLUSTER,
                        new Affinity.None(),
                        0,
                        List.of(
                                new Service.Port(
                                        "http", Protocol.TCP, 80, isFirst ? 30007 : 30008)),
                        "");
        return new ServiceState.Present(
                service,
                List.of(
                        new EndpointSlice(
                                "slice",
                                name,
                                family,
                                List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
                                List.of(
                                        new EndpointSlice.Entry(
                                                IpAddress.parse(
                                                        isFirst ? "192.0.2.30" : "fd00:2::30"),
                                                "there",
                                                EndpointSlice.Conditions.READY,
                                                EndpointSlice.Hints.NONE)))));
    }

    /// All that clean-up could touch.
    private static String held(TestNamespace node) {
        StringBuilder held = new StringBuilder(node.run("ipvsadm-save", "-n"));
        node.run("ipset", "save").lines().sorted().forEach(line -> held.append(line).append('\n'));
        node.run("ip", "-o", "link")
                .lines()
                .map(line -> line.split(": ", -1)[1])
                .forEach(link -> held.append(link).append('\n'));
        node.run("ip", "-o", "address")
                .lines()
                .map(line -> line.split("\\s+", -1)[3])
                .forEach(address -> held.append(address).append('\n'));
        Stream.of("iptables-nft-save", "ip6tables-nft-save")
                .flatMap(program -> node.run(program).lines())
                .filter(line -> line.startsWith("-A ") || line.contains(" - [0:0]"))
                .forEach(line -> held.append(line).append('\n'));
        return held.toString();
    }

    private static List<Leftovers> leftovers(TestNamespace node) throws Exception {
        return node.namespace()
                .call(
                        () -> {
                            List<Leftovers> all = new ArrayList<>(new IptablesMode().leftovers());
                            all.addAll(new IpvsMode().leftovers());
                            return all;
                        });
    }

    private static List<Leftovers.Found> found(List<Leftovers> look) {
        return look.stream()
                .filter(Leftovers.Found.class::isInstance)
                .map(Leftovers.Found.class::cast)
                .toList();
    }

    private static List<Commit> removeAll(TestNamespace node, List<Leftovers> look)
            throws Exception {
        return node.namespace()
                .call(() -> found(look).stream().map(each -> each.removal().remove()).toList());
    }
}
