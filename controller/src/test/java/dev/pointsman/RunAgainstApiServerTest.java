package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pointsman.daemon.RunProcess;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// `run`, as its user starts it, follows a real API server, and packets arrive.
///
/// etcd, the API server and `run` live in a node namespace; a client outside and two pods hang on
/// it by veth pairs.
@Tag("peers")
class RunAgainstApiServerTest {
    private static final Path PEERS = Path.of("..", "perf", "peers", "kube-peers").toAbsolutePath();
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int ANSWER_MILLIS = 1000;

    @TempDir Path folder;

    /// What a client sees of one connection: the name the server gave, or how it failed.
    private static final String REFUSED = "refused";

    @KernelTest
    void run_follows_an_api_server_and_packets_arrive() throws Exception {
        for (String variable : List.of("POINTSMAN_KUBE_APISERVER", "POINTSMAN_ETCD")) {
            boolean set = System.getenv(variable) != null;
            if (!set) {
                System.out.println(
                        "skipped: "
                                + variable
                                + " is not set; perf/peers/kube-peers build prints it");
            }
            assumeTrue(set, variable + " is not set");
        }
        try (TestNamespace node = TestNamespace.create();
                TestNamespace client = TestNamespace.create();
                TestNamespace podA = TestNamespace.create();
                TestNamespace podB = TestNamespace.create()) {
            node.run("sysctl", "-qw", "net.ipv4.ip_forward=1");
            node.wire("client", client, "192.0.2.1", "192.0.2.100");
            // As on any real node: without a route a packet does not get as far as being refused.
            node.run("ip", "route", "add", "default", "via", "192.0.2.100", "dev", "client");
            node.wire("pod-a", podA, "10.128.0.1", "10.128.0.10");
            node.wire("pod-b", podB, "10.128.0.1", "10.128.0.11");
            try (ServerSocket serverA = serve(podA, "pod-a");
                    ServerSocket serverB = serve(podB, "pod-b")) {
                assertThat(serverA.isBound() && serverB.isBound()).isTrue();
                node.run(PEERS.toString(), "up", folder.toString());
                try {
                    apply(node, "POST", "/api/v1/nodes", NODE);
                    apply(node, "POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"shop\"}}");
                    follows(start(node), node, client);
                } finally {
                    node.run(PEERS.toString(), "down", folder.toString());
                }
                assertThat(node.run("nft", "list", "tables"))
                        .as("rules stay at exit")
                        .contains("table ip pointsman");
            }
        }
    }

    private void follows(RunProcess run, TestNamespace node, TestNamespace client)
            throws Exception {
        try {
            apply(node, "POST", "/api/v1/namespaces/shop/services", SERVICE);
            await(client, REFUSED::equals);
            apply(node, "POST", SLICES, slice("10.128.0.10"));
            await(client, "pod-a saw 192.0.2.100"::equals);
            apply(node, "PUT", SLICES + "/web-1", slice("10.128.0.11"));
            await(client, "pod-b saw 192.0.2.100"::equals);
            apply(node, "DELETE", SLICES + "/web-1", "");
            await(client, REFUSED::equals);
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\nrun said:\n" + run.said(), e);
        } finally {
            assertThat(run.end()).isZero();
        }
    }

    private static final String NODE =
            """
            {"metadata":{"name":"worker-1"},"spec":{"podCIDR":"10.128.0.0/24","podCIDRs":["10.128.0.0/24"]}}
            """;
    private static final String SLICES = "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices";

    /// Without pod detection nothing is masqueraded: the pod sees the client.s own address.
    private static final String SERVICE =
            """
            {"metadata":{"name":"web"},"spec":{"type":"ClusterIP","clusterIP":"10.96.7.7",
             "ports":[{"name":"http","port":80,"protocol":"TCP"}]}}
            """;

    private static String slice(String address) {
        return """
               {"metadata":{"name":"web-1","labels":{"kubernetes.io/service-name":"web"}},
                "addressType":"IPv4","ports":[{"name":"http","port":8080,"protocol":"TCP"}],
                "endpoints":[{"addresses":["%s"],"conditions":{"ready":true},"nodeName":"worker-1"}]}
               """
                .formatted(address);
    }

    /// Answers each connection with its own name and the source it saw, until closed.
    private static ServerSocket serve(TestNamespace pod, String name) throws Exception {
        ServerSocket server = pod.namespace().call(() -> new ServerSocket(8080));
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            while (!server.isClosed()) {
                                try (Socket connection = server.accept()) {
                                    String saw = connection.getInetAddress().getHostAddress();
                                    connection
                                            .getOutputStream()
                                            .write(
                                                    (name + " saw " + saw)
                                                            .getBytes(StandardCharsets.UTF_8));
                                } catch (IOException e) {
                                    if (!server.isClosed()) {
                                        throw new UncheckedIOException(e);
                                    }
                                }
                            }
                        });
        return server;
    }

    private RunProcess start(TestNamespace node) throws IOException {
        return RunProcess.start(
                node,
                folder.resolve("run.log"),
                "run",
                "--kubeconfig",
                folder.resolve("kubeconfig").toString(),
                "--node",
                "worker-1");
    }

    private void apply(TestNamespace node, String method, String path, String body)
            throws IOException {
        String token =
                Files.readAllLines(folder.resolve("tokens.csv")).getFirst().replaceAll(",.*", "");
        node.feed(
                body,
                "curl",
                "-ksS",
                "--fail-with-body",
                "-X",
                method,
                "-H",
                "Authorization: Bearer " + token,
                "-H",
                "Content-Type: application/json",
                "--data-binary",
                "@-",
                "https://127.0.0.1:6443" + path);
    }

    private static void await(TestNamespace client, Predicate<String> wanted) throws Exception {
        Instant deadline = Instant.now().plus(PATIENCE);
        String seen = dial(client);
        while (!wanted.test(seen)) {
            assertThat(Instant.now()).as("the last connection was: " + seen).isBefore(deadline);
            seen = dial(client);
        }
    }

    private static String dial(TestNamespace client) throws Exception {
        return client.namespace()
                .call(
                        () -> {
                            try (Socket socket = new Socket()) {
                                socket.setSoTimeout(ANSWER_MILLIS);
                                socket.connect(
                                        new InetSocketAddress(
                                                InetAddress.ofLiteral("10.96.7.7"), 80),
                                        ANSWER_MILLIS);
                                return new String(
                                        socket.getInputStream().readAllBytes(),
                                        StandardCharsets.UTF_8);
                            } catch (ConnectException _) {
                                return REFUSED;
                            } catch (IOException e) {
                                return e.toString();
                            }
                        });
    }
}
