package dev.pointsman.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.KernelTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// No file, socket or process can be opened any more: the rules stay, it is said, and once there
/// are descriptors again all is made up for.
class DescriptorsTest {
    /// Standard input and output have these; all others are in use already.
    private static final int NONE_LEFT = 3;

    private static final int ENOUGH = 1024;
    private static final int PATIENCE_SECONDS = 120;
    private static final int PORT = 40_000;

    /// Enough for a file or a socket, and too few for the pipes to a program.
    private static final int FEW = 2;

    @TempDir Path folder;

    /// Its sockets to the kernel are open, so that it goes on but for flows.
    @Tag("peers")
    @KernelTest(tools = {"nft", "prlimit", "curl"})
    void in_mode_nftables() throws Exception {
        check("nftables", 1, "IPv4: changed", "stale UDP flows may be left: open a socket");
    }

    @Tag("peers")
    @KernelTest(tools = {"iptables", "iptables-restore", "ip6tables-restore", "prlimit", "curl"})
    void in_mode_iptables() throws Exception {
        check("iptables", 0, "error: IPv4: ");
    }

    @KernelTest(tools = {"iptables", "iptables-restore", "ip6tables-restore", "prlimit"})
    void iptables_restore_cannot_be_started() throws Exception {
        try (Crossing crossing = Crossing.create(folder);
                UdpFlows flows = new UdpFlows(crossing)) {
            List<String> pods = Crossing.podAddresses();
            crossing.endpoints(pods.subList(0, 1));
            RunProcess run = crossing.run("iptables", Map.of("CLASSPATH", jars()));
            run.await("IPv6: brought up to date");
            run.descriptors(run.openDescriptors() + FEW);
            crossing.endpoints(pods.subList(1, 2));
            run.await(
                    "IPv4: IPv4 rules of mode iptables: iptables-nft-restore: Cannot run program");
            assertThat(flows.stickyAnswerers(PORT).values()).containsOnly(pods.get(0));

            run.descriptors(ENOUGH);
            flows.awaitSticky(PORT + 1, pods.get(1));
            assertThat(run.end()).isZero();
        }
    }

    /// @param pod who answers new flows after a change
    /// @param words what is said of it
    private void check(String mode, int pod, String... words) throws Exception {
        try (ServedCrossing served = ServedCrossing.create(folder);
                UdpFlows flows = new UdpFlows(served.crossing())) {
            Path config = configuration(mode, "10.1.0.0/16");
            List<String> pods = Crossing.podAddresses();
            RunProcess run =
                    served.run(
                            Map.of("CLASSPATH", jars()), "--config", config.toString(), "-v", "2");
            run.await("IPv6: brought up to date");
            served.crossing()
                    .node()
                    .run("sysctl", "-qw", "net.netfilter.nf_conntrack_udp_timeout=600");
            assertThat(flows.stickyAnswerers(PORT).values()).containsOnly(pods.get(0));

            run.descriptors(NONE_LEFT);
            CompletableFuture<String> asked =
                    CompletableFuture.supplyAsync(
                            () -> served.crossing().ask("10256/healthz"),
                            // The common pool may have one thread, which fabric8 needs.
                            task -> Thread.ofPlatform().start(task));
            served.endpoint(pods.get(1));
            for (String each : words) {
                run.await(each);
            }
            served.wire().cut();
            for (String kind : List.of("services", "endpointslices", "nodes", "servicecidrs")) {
                // What they cannot read is the kubeconfig, by its path.
                run.await("/" + kind + ": " + folder);
            }
            configuration(mode, "10.2.0.0/16");
            run.await("the configuration changed and cannot be used");
            assertThat(flows.stickyAnswerers(PORT + 1).values()).containsOnly(pods.get(pod));
            assertThat(run.said()).contains("Too many open files");

            served.endpoint(pods.get(2));
            served.wire().mend();
            run.descriptors(ENOUGH);
            run.await("the configuration changed in clusterCIDR; taken over");
            run.await("is listed again", 4);
            // As many datagrams as it takes: their flows are led elsewhere after the rules.
            flows.awaitSticky(PORT, pods.get(2));
            assertThat(asked.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).contains("lastUpdated");
            assertThat(run.said())
                    .containsOnlyOnce(":10256 wait: Too many open files")
                    .doesNotContain("a bug in Pointsman", "Exception in thread");
            assertThat(run.end()).isZero();
        }
    }

    private Path configuration(String mode, String pods) throws IOException {
        return Files.writeString(
                folder.resolve("config.conf"),
                """
                apiVersion: kubeproxy.config.k8s.io/v1alpha1
                kind: KubeProxyConfiguration
                mode: %s
                clusterCIDR: %s
                """
                        .formatted(mode, pods));
    }

    /// The class path as it is where people run Pointsman: a JVM keeps a jar open, and opens a file
    /// for each class of a folder.
    private String jars() {
        List<String> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(":", -1)) {
            // Surefire ends it with a colon, which would be the folder that the test runs in.
            if (entry.isEmpty()) {
                continue;
            }
            if (Files.isDirectory(Path.of(entry))) {
                String jar = folder.resolve("part-" + path.size() + ".jar").toString();
                ToolProvider.findFirst("jar")
                        .orElseThrow()
                        .run(System.out, System.err, "-c", "-f", jar, "-C", entry, ".");
                path.add(jar);
            } else {
                path.add(entry);
            }
        }
        return String.join(":", path);
    }
}
