package dev.pointsman.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pointsman.daemon.RunProcess;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import dev.pointsman.perf.api.ApiServer;
import dev.pointsman.perf.api.Kind;
import dev.pointsman.perf.api.Shop;
import dev.pointsman.perf.api.Store;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// Proxies that follow the API server in memory, each in a network namespace of its own.
class ProxiesTest {
    private static final String KUBE_PROXY = "POINTSMAN_KUBE_PROXY";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int LOOK_MILLIS = 50;
    private static final String ADDRESS = "10.96.7.7";
    private static final String FIRST_POD = "10.128.0.10";
    private static final String SECOND_POD = "10.128.0.11";

    @TempDir Path folder;

    private final Store store = new Store();

    /// Starts a proxy.
    private interface Start {
        AutoCloseable with(TestNamespace node, Path kubeconfig) throws Exception;
    }

    @KernelTest
    @Tag("peers")
    void kube_proxy_follows() throws Exception {
        String program = System.getenv(KUBE_PROXY);
        if (program == null) {
            System.out.println(
                    "skipped: "
                            + KUBE_PROXY
                            + " names no program; build it with perf/peers/kube-peers build");
        }
        assumeTrue(program != null, KUBE_PROXY + " is not set");
        follows(
                "kube-proxy",
                (node, kubeconfig) -> {
                    Path config =
                            Files.writeString(
                                    folder.resolve("config.yaml"),
                                    """
                                    apiVersion: kubeproxy.config.k8s.io/v1alpha1
                                    kind: KubeProxyConfiguration
                                    clientConnection: {kubeconfig: %s, contentType: application/json}
                                    hostnameOverride: worker-1
                                    mode: nftables
                                    clusterCIDR: 10.128.0.0/9
                                    conntrack: {maxPerCore: 0, min: 0}
                                    """
                                            .formatted(kubeconfig));
                    Process process =
                            new ProcessBuilder(
                                            "ip",
                                            "netns",
                                            "exec",
                                            node.name(),
                                            program,
                                            "--config=" + config)
                                    .redirectErrorStream(true)
                                    .redirectOutput(folder.resolve("proxy.log").toFile())
                                    .start();
                    return () -> {
                        process.destroy();
                        process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
                    };
                });
    }

    @KernelTest
    void pointsman_follows() throws Exception {
        follows(
                "pointsman",
                (node, kubeconfig) ->
                        RunProcess.start(
                                        node,
                                        folder.resolve("proxy.log"),
                                        "run",
                                        "--kubeconfig",
                                        kubeconfig.toString(),
                                        "--node",
                                        "worker-1",
                                        "--mode",
                                        "nftables",
                                        "--cluster-cidr",
                                        "10.128.0.0/9",
                                        "--conntrack-max-per-core=0",
                                        "--conntrack-min=0",
                                        "--oom-score-adj=0")
                                ::end);
    }

    private void follows(String table, Start start) throws Exception {
        store.put(Shop.node("worker-1", "a"));
        store.put(Shop.web());
        store.put(Shop.slice("web", FIRST_POD));
        try (TestNamespace node = TestNamespace.create();
                ApiServer server = node.namespace().call(this::listen);
                AutoCloseable proxy = start.with(node, server.kubeconfig(folder))) {
            assertThat(proxy).isNotNull();
            await(node, table, rules -> rules.contains(ADDRESS) && rules.contains(FIRST_POD));
            store.put(Shop.slice("web", SECOND_POD));
            await(node, table, rules -> rules.contains(SECOND_POD) && !rules.contains(FIRST_POD));
            // Who watches already need not list again.
            store.compact();
            store.delete(Kind.SERVICE, "shop", "web");
            await(node, table, rules -> !rules.contains(ADDRESS) && !rules.contains(SECOND_POD));
        }
    }

    private ApiServer listen() throws Exception {
        return ApiServer.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), store);
    }

    private void await(TestNamespace node, String table, Predicate<String> rules) throws Exception {
        Instant deadline = Instant.now().plus(PATIENCE);
        String now = rules(node, table);
        while (!rules.test(now)) {
            if (Instant.now().isAfter(deadline)) {
                throw new AssertionError(
                        now + "\nsaid:\n" + Files.readString(folder.resolve("proxy.log")));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            now = rules(node, table);
        }
    }

    /// Empty as long as there is no such table.
    private static String rules(TestNamespace node, String table) {
        return node.run("nft", "list", "tables").contains("table ip " + table)
                ? node.run("nft", "list", "table", "ip", table)
                : "";
    }
}
