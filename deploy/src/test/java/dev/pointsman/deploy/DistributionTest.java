package dev.pointsman.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import dev.pointsman.perf.api.ApiServer;
import dev.pointsman.perf.api.Store;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `deploy/build` left, where libraries ask for something that its runtime has not.
final class DistributionTest {
    private static final String CREDENTIALS =
            "{apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: echo,"
                    + " args: ['{\"apiVersion\":\"client.authentication.k8s.io/v1\","
                    + "\"kind\":\"ExecCredential\",\"status\":{\"token\":\"t\"}}']}";

    @TempDir Path folder;

    /// chronicle-map wants to compile.
    @Test
    void flows_are_read_without_a_compiler() throws Exception {
        Path flows =
                Files.writeString(
                        folder.resolve("flows"),
                        "udp 17 29 src=10.128.0.9 dst=10.96.0.10 sport=1 dport=53"
                                + " src=10.128.0.8 dst=10.128.0.9 sport=53 dport=1\n");
        Tool.Ended ended =
                program()
                        .tried(
                                "verify",
                                "--filename=examples/shop.yaml",
                                "--node=worker-1",
                                "--cluster-cidr=10.128.0.0/16",
                                "--conntrack=" + flows);
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).contains("1 flows");
    }

    /// Jackson's databind wants types of XML.
    @KernelTest
    void credentials_may_come_from_another_program() throws Exception {
        Store cluster = new Store();
        Pod.objects("cluster.yaml").objects().forEach(cluster::put);
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (TestNamespace node = TestNamespace.create();
                ApiServer server =
                        node.namespace().call(() -> ApiServer.listen(anyPort, cluster))) {
            Path kubeconfig = server.kubeconfig(folder);
            Files.writeString(
                    kubeconfig,
                    Files.readString(kubeconfig)
                            .replace("user: {}", "user: {exec: " + CREDENTIALS + "}"));
            assertThat(kubeconfig).content().contains("exec:");
            String said =
                    node.run(
                            Images.distribution().resolve("bin/pointsman").toString(),
                            "run",
                            "--once",
                            "--node=worker-1",
                            "--mode=nftables",
                            "--kubeconfig=" + kubeconfig);
            assertThat(said).contains("IPv4: brought up to date");
        }
    }

    private static Tool program() {
        return new Tool(Images.distribution().resolve("bin/pointsman").toString());
    }
}
