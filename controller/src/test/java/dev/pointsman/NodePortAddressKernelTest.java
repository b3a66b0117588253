package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Mode;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.io.TempDir;

/// Node ports answer at an address that the node gets later, though nobody is there any more to
/// notice: rules name no address of the node.
final class NodePortAddressKernelTest {
    private static final String CLUSTER =
            """
            apiVersion: v1
            kind: Node
            metadata: {name: worker-1}
            status: {addresses: [{type: InternalIP, address: 192.0.2.1}]}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop}
            spec: {type: NodePort, clusterIP: 10.96.7.7, ports: [{port: 80, nodePort: 30080}]}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{name: "", port: 8080}]
            endpoints: [{addresses: [10.128.0.10]}]
            """;
    private static final int MILLIS = 10_000;

    @TempDir Path folder;

    @KernelTest
    void of_rules_in_mode_nftables() throws Exception {
        checkMode("nftables", "--nodeport-addresses=0.0.0.0/0");
    }

    @KernelTest(tools = {"iptables-restore", "ip6tables-restore"})
    void of_rules_in_mode_iptables() throws Exception {
        checkMode("iptables", "--nodeport-addresses=192.0.2.0/24");
    }

    private void checkMode(String mode, String nodePorts) throws Exception {
        String snapshot = Files.writeString(folder.resolve("cluster.yaml"), CLUSTER).toString();
        Console console = new Console(() -> ServiceLoader.load(Mode.class), "worker-1");
        List<String> run =
                List.of("run", "--once", "--snapshot", snapshot, "--proxy-mode=" + mode, nodePorts);
        try (TestNamespace node = TestNamespace.create();
                TestNamespace client = TestNamespace.create();
                TestNamespace pod = TestNamespace.create();
                ServerSocket server = pod.namespace().call(() -> new ServerSocket(8080))) {
            assertThat(server.isBound()).isTrue();
            node.run("sysctl", "-qw", "net.ipv4.ip_forward=1");
            node.wire("client", client, "192.0.2.1", "192.0.2.100");
            node.wire("pod", pod, "10.128.0.1", "10.128.0.10");
            assertThat(node.namespace().call(() -> console.run(InputStream.nullInputStream(), run)))
                    .as(console.err.toString())
                    .isZero();
            assertThat(reaches(client, "192.0.2.1")).isTrue();
            assertThat(reaches(client, "192.0.2.77")).isFalse();
            node.run("ip", "address", "add", "192.0.2.77/32", "dev", "client");
            assertThat(reaches(client, "192.0.2.77")).isTrue();
        }
    }

    private static boolean reaches(TestNamespace client, String address) throws Exception {
        return client.namespace()
                .call(
                        () -> {
                            try (Socket socket = new Socket()) {
                                InetAddress node = InetAddress.ofLiteral(address);
                                socket.connect(new InetSocketAddress(node, 30_080), MILLIS);
                                return true;
                            } catch (IOException _) {
                                return false;
                            }
                        });
    }
}
