package dev.pointsman.ipvs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Dataplane.Condition;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.guest.GuestTest;
import dev.pointsman.iptables.IptablesMode;
import dev.pointsman.netlink.TestNamespace;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What the driver makes of the kernel: of connections, of faults and of what others keep there.
@GuestTest
final class DriverGuestTest {
    private static final RuleGraph NOTHING = RuleGraph.nothing(Family.IPV4);

    /// One node with a dataplane, and what was planned for it.
    private static final class Node implements AutoCloseable {
        private final TestNamespace namespace = TestNamespace.create();
        private final Planner planner;
        private Dataplane dataplane = dataplane();
        private RuleGraph held = NOTHING;

        Node(IpvsSettings settings) {
            planner = Shop.planner(settings);
        }

        Node() {
            this(IpvsSettings.DEFAULTS);
        }

        private static Dataplane dataplane() {
            return new IpvsMode(IptablesMode.Choice.NFT).dataplane(Family.IPV4);
        }

        Commit plan(ServiceState... services) throws Exception {
            planner.plan(List.of(services));
            RuleGraph next = planner.graph();
            Commit commit = commit(next);
            held = next;
            return commit;
        }

        Commit commit(RuleGraph next) throws Exception {
            Delta delta = Delta.between(held, next);
            return in(() -> dataplane.commit(dataplane.render(held, delta)));
        }

        void restart() {
            dataplane.close();
            dataplane = dataplane();
        }

        /// What a repair writes.
        String repair() throws Exception {
            return in(
                    () -> {
                        IpvsTransaction repair =
                                (IpvsTransaction) dataplane.repair(planner.graph());
                        assertThat(dataplane.commit(repair)).isInstanceOf(Commit.Applied.class);
                        return repair.text();
                    });
        }

        /// What ten looks say: the tenth asks for connections.
        SortedSet<Condition> looks() throws Exception {
            SortedSet<Condition> all = new TreeSet<>();
            for (int i = 0; i < 10; i++) {
                all.add(in(dataplane::condition));
            }
            return all;
        }

        <T> T in(Callable<T> work) throws Exception {
            return namespace.namespace().call(work);
        }

        String run(String command) {
            return namespace.run("sh", "-c", command);
        }

        String servers() {
            return run("ipvsadm-save -n");
        }

        @Override
        public void close() {
            dataplane.close();
            namespace.close();
        }
    }

    @Test
    void what_is_written_is_listed_so_by_the_tools_and_wants_no_repair() throws Exception {
        try (Node node = new Node()) {
            assertThat(
                            node.plan(
                                    Shop.service(1, "10.244.1.5", "10.244.2.5"),
                                    Shop.service(2, Protocol.UDP, "mh", "10.244.2.6"),
                                    Shop.service(3, Protocol.SCTP, "")))
                    .isInstanceOf(Commit.Applied.class);
            assertThat(node.servers().lines())
                    .contains(
                            "-A -t 10.96.0.1:80 -s rr",
                            "-a -t 10.96.0.1:80 -r 10.244.1.5:8080 -m -w 1",
                            "-a -t 10.96.0.1:80 -r 10.244.2.5:8080 -m -w 1",
                            "-A -t 192.0.0.8:30001 -s rr",
                            "-A -u 10.96.0.2:80 -s mh -b mh-fallback,mh-port",
                            "-a -u 10.96.0.2:80 -r 10.244.2.6:8080 -m -w 1",
                            "-A --sctp-service 10.96.0.3:80 -s rr");
            assertThat(node.run("ipset save").lines())
                    .contains(
                            "add KUBE-SERVICE-IP 10.96.0.1,tcp:80",
                            "add KUBE-NODE-PORT 0.0.0.0/1,tcp:30001",
                            "add KUBE-NODE-PORT 128.0.0.0/1,sctp:30003",
                            "add KUBE-BOUND-IP 192.0.0.8");
            assertThat(node.run("ip -br address show dev kube-ipvs0"))
                    .contains("10.96.0.1/32", "10.96.0.2/32", "10.96.0.3/32", "192.0.0.8/32");
            assertThat(node.repair()).isEmpty();
            assertThat(node.looks()).containsExactly(Condition.INTACT);
            node.restart();
            assertThat(node.repair()).isEmpty();
        }
    }

    @Test
    void the_script_does_what_a_commit_does() throws Exception {
        try (Node committed = new Node();
                Node scripted = new Node()) {
            ServiceState[] services = {
                Shop.service(1, "10.244.1.5", "10.244.2.5"),
                Shop.service(2, Protocol.UDP, "sh", "10.244.2.6")
            };
            assertThat(committed.plan(services)).isInstanceOf(Commit.Applied.class);
            IpvsTransaction load = Renderer.render(NOTHING, Delta.between(NOTHING, committed.held));
            scripted.namespace.feed(load.text(), "sh");
            scripted.planner.plan(List.of(services));
            assertThat(scripted.repair()).isEmpty();
            assertThat(state(scripted)).isEqualTo(state(committed));
        }
    }

    private static String state(Node node) {
        return List.of(
                        "ipvsadm-save -n | sort",
                        // Tools and kernels of later years add options of their own.
                        "ipset save | sed 's/ bucketsize .*//' | sort",
                        "ip -br address show dev kube-ipvs0",
                        "iptables-nft-save | grep -v '^[#:]'")
                .stream()
                .map(node::run)
                .collect(Collectors.joining("\n"));
    }

    @Test
    void an_open_connection_outlives_its_endpoint_and_a_restart() throws Exception {
        try (Node node = new Node()) {
            node.run("ip address add 10.244.1.5/32 dev lo");
            node.run("ip address add 10.244.1.6/32 dev lo");
            try (ServerSocketChannel old = listen(node, "10.244.1.5");
                    ServerSocketChannel young = listen(node, "10.244.1.6")) {
                node.plan(Shop.service(1, "10.244.1.5"));
                try (SocketChannel client = connect(node);
                        SocketChannel server = old.accept()) {
                    node.plan(Shop.service(1, "10.244.1.6"));
                    assertThat(node.servers()).contains("-r 10.244.1.5:8080 -m -w 0");
                    node.restart();
                    assertThat(node.repair()).isEmpty();
                    assertThat(node.servers()).contains("-r 10.244.1.5:8080 -m -w 0");
                    echo(client, server);
                    try (SocketChannel other = connect(node);
                            SocketChannel otherServer = young.accept()) {
                        echo(other, otherServer);
                    }
                    node.plan(Shop.service(1, "10.244.1.5", "10.244.1.6"));
                    assertThat(node.servers())
                            .contains("-r 10.244.1.5:8080 -m -w 1")
                            .doesNotContain("-w 0");
                    echo(client, server);
                    node.plan(Shop.service(1, "10.244.1.6"));
                    assertThat(node.looks()).containsExactly(Condition.INTACT);
                }
            }
            assertThat(awaitIdle(node)).contains("-d -t 10.96.0.1:80 -r 10.244.1.5:8080");
            assertThat(node.servers()).doesNotContain("10.244.1.5");
            assertThat(node.repair()).isEmpty();
        }
    }

    /// Nothing that listens on all addresses of the node must be reached through it meanwhile.
    @Test
    void the_address_of_a_service_that_is_gone_stays_guarded_while_it_drains() throws Exception {
        try (Node node = new Node()) {
            node.run("ip address add 10.244.1.5/32 dev lo");
            try (ServerSocketChannel pod = listen(node, "10.244.1.5")) {
                node.plan(Shop.service(1, "10.244.1.5"));
                try (SocketChannel client = connect(node);
                        SocketChannel server = pod.accept()) {
                    // The endpoint goes first, then the port, and then the Service.
                    node.plan(Shop.service(1));
                    node.plan(Shop.service(1, Protocol.UDP, "", "10.244.1.5"));
                    node.plan(new ServiceState.Absent(new ServiceName("shop", "s1")));
                    assertThat(node.run("ip address show dev kube-ipvs0")).contains("10.96.0.1/32");
                    assertThat(node.run("ipset list KUBE-BOUND-IP")).contains("10.96.0.1\n");
                    assertThat(node.repair()).isEmpty();
                    echo(client, server);
                }
            }
            awaitIdle(node);
            assertThat(node.run("ip address show dev kube-ipvs0")).doesNotContain("10.96.0.1/32");
            assertThat(node.run("ipset list KUBE-BOUND-IP")).doesNotContain("10.96.0.1\n");
            assertThat(node.repair()).isEmpty();
        }
    }

    /// A reset connection stays in IPVS's table for ten seconds.
    ///
    /// @return what a repair then writes
    private static String awaitIdle(Node node) throws Exception {
        long deadline = System.nanoTime() + 120_000_000_000L;
        while (!node.looks().contains(Condition.DISTURBED)) {
            assertThat(System.nanoTime()).as("in two minutes").isLessThan(deadline);
            Thread.onSpinWait();
        }
        return node.repair();
    }

    private static ServerSocketChannel listen(Node node, String address) throws Exception {
        ServerSocketChannel channel = node.in(ServerSocketChannel::open);
        return channel.bind(new InetSocketAddress(address, 8080));
    }

    private static SocketChannel connect(Node node) throws Exception {
        SocketChannel channel = node.in(SocketChannel::open);
        // A reset leaves nothing behind that would wait for minutes.
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.connect(new InetSocketAddress("10.96.0.1", 80));
        return channel;
    }

    private static void echo(SocketChannel client, SocketChannel server) throws Exception {
        client.write(ByteBuffer.wrap(new byte[] {42}));
        ByteBuffer got = ByteBuffer.allocate(1);
        server.read(got);
        assertThat(got.get(0)).isEqualTo((byte) 42);
    }

    @Test
    void what_has_no_connections_goes_at_once() throws Exception {
        try (Node node = new Node()) {
            node.plan(
                    Shop.service(1, "10.244.2.5", "10.244.2.6"),
                    Shop.service(2, Protocol.UDP, "", "10.244.2.5", "10.244.2.6"));
            node.plan(
                    Shop.service(1, "10.244.2.5"), Shop.service(2, Protocol.UDP, "", "10.244.2.5"));
            assertThat(node.servers()).doesNotContain("10.244.2.6");
            node.plan(new ServiceState.Absent(new ServiceName("shop", "s1")));
            assertThat(node.servers()).doesNotContain("10.96.0.1");
            assertThat(node.run("ip address")).doesNotContain("10.96.0.1");
            assertThat(node.repair()).isEmpty();
        }
    }

    @Test
    void no_weight_0_survives_a_restart_where_the_endpoint_is_wanted() throws Exception {
        try (Node node = new Node()) {
            node.plan(Shop.service(1, "10.244.2.5"));
            node.run("ipvsadm -e -t 10.96.0.1:80 -r 10.244.2.5:8080 -m -w 0");
            node.restart();
            assertThat(node.repair()).contains("-e -t 10.96.0.1:80 -r 10.244.2.5:8080 -m -w 1");
            assertThat(node.servers()).doesNotContain("-w 0");
        }
    }

    @Test
    void what_is_not_ours_stays_in_every_phase() throws Exception {
        SortedSet<Cidr> excluded = new TreeSet<>(List.of(Cidr.parse("10.99.0.0/16")));
        try (Node node =
                new Node(
                        new IpvsSettings(
                                "rr",
                                excluded,
                                IpvsSettings.Arp.AS_FOUND,
                                IpvsSettings.Timeouts.AS_FOUND))) {
            node.run("ipvsadm -A -t 10.99.0.1:6443 -s wlc");
            node.run("ipvsadm -a -t 10.99.0.1:6443 -r 10.9.0.1:6443 -m -w 0");
            node.run("ipvsadm -A -f 7 -s rr");
            node.run("ipvsadm -A -t 10.98.0.1:80 -s rr");
            node.run("ipset create THEIRS hash:ip && ipset add THEIRS 10.9.9.9");
            node.run("ip link add theirs type dummy && ip address add 10.9.9.9/32 dev theirs");
            node.run("iptables -t nat -N THEIRS && iptables -t nat -A PREROUTING -j THEIRS");
            node.plan(Shop.service(1, "10.244.2.5", "10.244.2.6"));
            decoys(node);
            node.repair();
            assertThat(node.servers()).doesNotContain("10.98.0.1");
            decoys(node);
            node.plan(Shop.service(1, "10.244.2.5"));
            decoys(node);
            node.restart();
            node.repair();
            decoys(node);
            assertThat(node.commit(NOTHING)).isInstanceOf(Commit.Applied.class);
            decoys(node);
            assertThat(node.servers()).doesNotContain("10.96.").doesNotContain("192.0.0.8");
            assertThat(node.run("ipset list -n")).isEqualToIgnoringNewLines("THEIRS");
            assertThat(node.run("ip link")).doesNotContain("kube-ipvs0");
            assertThat(node.run("iptables-nft-save")).doesNotContain("KUBE");
        }
    }

    private static void decoys(Node node) {
        assertThat(node.servers())
                .contains(
                        "-A -t 10.99.0.1:6443 -s wlc",
                        "-a -t 10.99.0.1:6443 -r 10.9.0.1:6443 -m -w 0",
                        "-A -f 7 -s rr");
        assertThat(node.run("ipset list THEIRS")).contains("10.9.9.9");
        assertThat(node.run("ip address show dev theirs")).contains("10.9.9.9/32");
        assertThat(node.run("iptables-nft-save -t nat")).contains("-A PREROUTING -j THEIRS");
    }

    @Test
    void what_kube_proxy_left_is_taken_over() throws Exception {
        try (Node node = new Node()) {
            node.run("ipset create KUBE-IPVS-IPS hash:ip maxelem 65536");
            node.run("ipset add KUBE-IPVS-IPS 10.96.0.1 && ipset add KUBE-IPVS-IPS 10.96.9.9");
            node.run("ipset create KUBE-CLUSTER-IP hash:ip,port");
            node.run("ipset create KUBE-NODE-PORT-TCP bitmap:port range 0-65535");
            node.run(
                    "iptables -N KUBE-IPVS-FILTER && iptables -A INPUT -j KUBE-IPVS-FILTER &&"
                            + " iptables -A KUBE-IPVS-FILTER -m set --match-set KUBE-CLUSTER-IP"
                            + " dst,dst -j RETURN && iptables -A KUBE-IPVS-FILTER -m set"
                            + " --match-set KUBE-IPVS-IPS dst -j REJECT");
            node.run("ip link add kube-ipvs0 type dummy");
            node.run("ip address add 10.96.9.9/32 dev kube-ipvs0");
            node.run("ipvsadm -A -t 10.96.9.9:80 -s rr");
            node.run("ipvsadm -A -t 10.96.0.1:80 -s wrr -p 60");
            node.planner.plan(List.of(Shop.service(1, "10.244.2.5")));
            node.repair();
            assertThat(node.repair()).isEmpty();
            assertThat(node.servers())
                    .contains("-A -t 10.96.0.1:80 -s rr\n")
                    .doesNotContain("10.96.9.9");
            assertThat(node.run("ip address show dev kube-ipvs0")).doesNotContain("10.96.9.9");
            assertThat(node.run("ipset list -n"))
                    .doesNotContain("KUBE-IPVS-IPS")
                    .doesNotContain("KUBE-CLUSTER-IP")
                    .doesNotContain("KUBE-NODE-PORT-TCP");
        }
    }

    @Test
    void a_set_of_another_size_is_made_anew() throws Exception {
        try (Node node = new Node()) {
            node.run("ipset create KUBE-BOUND-IP hash:ip maxelem 65536");
            node.run("ipset add KUBE-BOUND-IP 10.96.9.9");
            node.planner.plan(List.of(Shop.service(1, "10.244.2.5")));
            node.repair();
            assertThat(node.run("ipset list KUBE-BOUND-IP"))
                    .contains("maxelem 1048576", "10.96.0.1\n")
                    .doesNotContain("10.96.9.9");
            assertThat(node.repair()).isEmpty();
        }
    }

    @Test
    void an_unknown_scheduler_is_its_services_fault() throws Exception {
        try (Node node = new Node()) {
            Commit commit =
                    node.plan(
                            Shop.service(1, Protocol.TCP, "nosuch", "10.244.2.5"),
                            Shop.service(2, "10.244.2.5"));
            assertThat(commit)
                    .isInstanceOfSatisfying(
                            Commit.Torn.class,
                            torn -> {
                                assertThat(torn.refused().services())
                                        .containsExactly(new ServiceName("shop", "s1"));
                                assertThat(torn.refused().why()).contains("ip_vs_nosuch");
                            });
            assertThat(node.servers())
                    .contains("-a -t 10.96.0.2:80 -r 10.244.2.5:8080 -m -w 1")
                    .doesNotContain("10.96.0.1");
        }
    }

    @Test
    void a_node_without_its_scheduler_is_told_so_before_anything_is_written() throws Exception {
        try (Node node =
                new Node(
                        new IpvsSettings(
                                "nosuch",
                                new TreeSet<>(),
                                IpvsSettings.Arp.AS_FOUND,
                                IpvsSettings.Timeouts.AS_FOUND))) {
            assertThatThrownBy(() -> node.plan(Shop.service(1, "10.244.2.5")))
                    .isInstanceOf(DataplaneUnavailable.class)
                    .hasMessageContaining("nosuch")
                    .hasMessageContaining("ipvs.scheduler");
            assertThat(node.servers()).isBlank();
            assertThat(node.run("ipset list -n")).isBlank();
        }
    }

    @Test
    void the_node_is_set_up_as_configured() throws Exception {
        try (Node node =
                new Node(
                        new IpvsSettings(
                                "wlc",
                                new TreeSet<>(),
                                IpvsSettings.Arp.STRICT,
                                new IpvsSettings.Timeouts(1200, 0, 77)))) {
            node.run("ipvsadm --set 800 60 200");
            node.plan(Shop.service(1, "10.244.2.5"));
            assertThat(node.run("ipvsadm -L --timeout")).contains("1200 60 77");
            assertThat(node.servers()).contains("-A -t 10.96.0.1:80 -s wlc");
            assertThat(
                            node.run(
                                            "sysctl -n net.ipv4.vs.conntrack net.ipv4.vs.expire_nodest_conn"
                                                    + " net.ipv4.vs.expire_quiescent_template"
                                                    + " net.ipv4.ip_forward net.ipv4.conf.all.arp_ignore"
                                                    + " net.ipv4.conf.all.arp_announce")
                                    .lines())
                    .containsExactly("1", "1", "1", "1", "1", "2");
        }
    }

    @Test
    void what_others_take_away_is_noticed_and_put_back() throws Exception {
        try (Node node = new Node()) {
            node.plan(Shop.service(1, "10.244.2.5"));
            for (String damage :
                    List.of(
                            "ip link delete kube-ipvs0",
                            "ipset flush KUBE-SERVICE-IP",
                            "iptables -t nat -F KUBE-SERVICES")) {
                assertThat(node.looks()).containsExactly(Condition.INTACT);
                node.run(damage);
                assertThat(node.looks())
                        .as(damage)
                        .isNotEqualTo(new TreeSet<>(List.of(Condition.INTACT)));
                node.repair();
                assertThat(node.repair()).isEmpty();
            }
            node.run("ipvsadm -C");
            assertThat(node.repair()).contains("-A -t 10.96.0.1:80 -s rr");
            assertThat(node.repair()).isEmpty();
        }
    }

    @Test
    void an_address_of_another_interface_is_not_bound_again() throws Exception {
        try (Node node = new Node()) {
            node.run("ip link add eth0 type dummy && ip address add 10.96.0.1/24 dev eth0");
            node.plan(Shop.service(1, "10.244.2.5"));
            assertThat(node.run("ip address show dev kube-ipvs0")).doesNotContain("10.96.0.1");
            assertThat(node.run("ipset list KUBE-BOUND-IP")).doesNotContain("10.96.0.1");
            assertThat(node.servers()).contains("-A -t 10.96.0.1:80 -s rr");
            assertThat(node.repair()).isEmpty();
        }
    }
}
