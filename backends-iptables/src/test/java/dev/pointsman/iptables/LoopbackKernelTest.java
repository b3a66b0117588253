package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;

/// Node ports on 127.0.0.1, which no other mode has.
final class LoopbackKernelTest {
    private static final int PATIENCE = 3000;

    @KernelTest(tools = {"iptables-nft-restore", "iptables-legacy-restore"})
    void a_node_port_answers_on_loopback_and_the_pod_sees_the_node() throws Exception {
        for (IptablesMode.Choice choice :
                List.of(IptablesMode.Choice.NFT, IptablesMode.Choice.LEGACY)) {
            try (TestNamespace node = TestNamespace.create();
                    TestNamespace pod = TestNamespace.create()) {
                connect(node, pod);
                try (ServerSocket server = pod.namespace().call(LoopbackKernelTest::listen);
                        Dataplane dataplane = new IptablesMode(choice).dataplane(Family.IPV4)) {
                    try (Socket client = node.namespace().call(() -> dial(dataplane));
                            Socket accepted = server.accept()) {
                        assertThat(client.isConnected()).isTrue();
                        assertThat(accepted.getInetAddress().getHostAddress())
                                .isEqualTo("10.244.1.1");
                    }
                }
            }
        }
    }

    private static ServerSocket listen() throws Exception {
        ServerSocket server = new ServerSocket();
        server.setSoTimeout(PATIENCE);
        server.bind(new InetSocketAddress(InetAddress.ofLiteral("10.244.1.5"), 8080));
        return server;
    }

    private static Socket dial(Dataplane dataplane) throws Exception {
        Planner planner = Shop.planner();
        RuleGraph nothing = planner.graph();
        Delta delta = planner.plan(List.of(Shop.service(2, Shop.Style.NODE_PORT, "10.244.1.5")));
        assertThat(dataplane.commit(dataplane.render(nothing, delta)))
                .isInstanceOf(Commit.Applied.class);
        Socket client = new Socket();
        client.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 30002), PATIENCE);
        return client;
    }

    private static void connect(TestNamespace node, TestNamespace pod) {
        node.run(
                "ip",
                "link",
                "add",
                "pod0",
                "type",
                "veth",
                "peer",
                "name",
                "eth0",
                "netns",
                pod.name());
        node.run("ip", "address", "add", "10.244.1.1/24", "dev", "pod0");
        node.run("ip", "link", "set", "pod0", "up");
        pod.run("ip", "address", "add", "10.244.1.5/24", "dev", "eth0");
        pod.run("ip", "link", "set", "eth0", "up");
        pod.run("ip", "route", "add", "default", "via", "10.244.1.1");
    }
}
