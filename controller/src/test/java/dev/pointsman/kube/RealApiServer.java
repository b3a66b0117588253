package dev.pointsman.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pointsman.netlink.NetworkNamespace;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A real kube-apiserver over a real etcd, on ports of their own, without any node.
///
/// The variables POINTSMAN_KUBE_APISERVER and POINTSMAN_ETCD name the programs;
/// `perf/peers/kube-peers build` prints them.
public final class RealApiServer implements AutoCloseable {
    public static final String TRUSTING = "insecure-skip-tls-verify: true";

    private static final String TOKEN = "for-tests-only";

    /// Under emulation it takes two minutes.
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    private static final int LOOK_MILLIS = 250;

    private final Path folder;
    private final NetworkNamespace home = NetworkNamespace.current();
    private final int port;
    private final List<String> command = new ArrayList<>();
    private final Process etcd;
    private final String store;
    private Process apiserver;

    /// Starts both and returns when they answer; skips the test when the programs are not named.
    ///
    /// @param more options of kube-apiserver, which take the place of those it has here
    public static RealApiServer start(Path folder, String... more) throws Exception {
        String etcd = System.getenv("POINTSMAN_ETCD");
        String apiserver = System.getenv("POINTSMAN_KUBE_APISERVER");
        if (etcd == null || apiserver == null) {
            String reason =
                    "skipped: POINTSMAN_KUBE_APISERVER and POINTSMAN_ETCD name no programs; build"
                            + " them with perf/peers/kube-peers build";
            System.out.println(reason);
            assumeTrue(false, reason);
        }
        return new RealApiServer(
                folder, String.valueOf(etcd), String.valueOf(apiserver), List.of(more));
    }

    public int port() {
        return port;
    }

    /// A kubeconfig for this server that reaches it at `throughPort` and trusts it as `trust` says.
    public Path kubeconfig(int throughPort, String trust) throws IOException {
        return Files.writeString(
                Files.createTempFile(folder, "kubeconfig", ""),
                """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d", %s}}]
                users: [{name: u, user: {token: "%s"}}]
                contexts: [{name: c, context: {cluster: c, user: u}}]
                current-context: c
                """
                        .formatted(throughPort, trust, TOKEN));
    }

    /// A kubeconfig of its administrator.
    public Path kubeconfig() throws IOException {
        return kubeconfig(port, TRUSTING);
    }

    /// Its administrator.
    public KubernetesClient admin() throws IOException {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig().toFile()))
                .build();
    }

    private RealApiServer(Path folder, String etcdProgram, String program, List<String> more)
            throws Exception {
        this.folder = folder;
        Path key = folder.resolve("sa.key");
        Files.writeString(key, rsaKey());
        Path tokens = folder.resolve("tokens.csv");
        Files.writeString(tokens, TOKEN + ",admin,admin,\"system:masters\"\n");
        List<Integer> ports = freePorts();
        port = ports.get(0);
        String client = "http://127.0.0.1:" + ports.get(1);
        store = client;
        String peer = "http://127.0.0.1:" + ports.get(2);
        etcd =
                process(
                        "etcd",
                        List.of(
                                etcdProgram,
                                "--data-dir=" + folder.resolve("etcd"),
                                "--unsafe-no-fsync",
                                "--listen-client-urls=" + client,
                                "--advertise-client-urls=" + client,
                                "--listen-peer-urls=" + peer,
                                "--initial-advertise-peer-urls=" + peer,
                                "--initial-cluster=default=" + peer));
        command.addAll(
                List.of(
                        program,
                        "--etcd-servers=" + client,
                        "--bind-address=127.0.0.1",
                        "--secure-port=" + port,
                        "--advertise-address=192.0.2.10",
                        "--service-cluster-ip-range=10.96.0.0/12,fd00:10:96::/112",
                        "--authorization-mode=AlwaysAllow",
                        "--token-auth-file=" + tokens,
                        "--service-account-issuer=https://kubernetes.default.svc",
                        "--service-account-key-file=" + key,
                        "--service-account-signing-key-file=" + key,
                        "--disable-admission-plugins=ServiceAccount",
                        "--cert-dir=" + folder.resolve("certs")));
        // Of a list given twice the API server takes both.
        more.forEach(
                option -> command.removeIf(own -> own.startsWith(option.replaceAll("=.*", "="))));
        command.addAll(more);
        apiserver = process("kube-apiserver", command);
        awaitReady();
    }

    /// A wire to it from the network namespace of the calling thread.
    public Relay relay() throws Exception {
        return Relay.into(home, port);
    }

    /// Kills the API server and leaves its store. On its own it would wait for its watches to end.
    public void kill() {
        apiserver.destroyForcibly().onExit().join();
    }

    /// Starts it again over the same store; what it remembered is lost.
    public void resume() throws Exception {
        apiserver = process("kube-apiserver", command);
        awaitReady();
    }

    /// Has its store forget everything that was and is no more, and starts it again, so that it
    /// does not remember it either.
    public void compact() throws Exception {
        kill();
        try (HttpClient http = HttpClient.newHttpClient()) {
            Matcher revision =
                    Pattern.compile("\"revision\":\"(\\d+)\"")
                            .matcher(ask(http, "/v3/kv/range", "{\"key\": \"AA==\"}"));
            assertThat(revision.find()).isTrue();
            ask(http, "/v3/kv/compaction", "{\"revision\": " + revision.group(1) + "}");
        }
        resume();
    }

    private String ask(HttpClient http, String path, String json) throws Exception {
        HttpResponse<String> answer =
                http.send(
                        HttpRequest.newBuilder(URI.create(store + path))
                                .POST(HttpRequest.BodyPublishers.ofString(json))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private Process process(String name, List<String> program) throws IOException {
        return new ProcessBuilder(program)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
    }

    private void awaitReady() throws Exception {
        try (ApiServer server = ApiServer.of(kubeconfig())) {
            Instant deadline = Instant.now().plus(PATIENCE);
            while (!ready(server)) {
                if (apiserver.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)
                        || Instant.now().isAfter(deadline)) {
                    throw new IllegalStateException(
                            "kube-apiserver did not come up; see "
                                    + Files.readString(folder.resolve("kube-apiserver.log")));
                }
            }
        }
    }

    private static boolean ready(ApiServer server) throws InterruptedException {
        try (ApiServer.Answer answer = server.get("/readyz")) {
            return answer.code() == 200;
        } catch (IOException _) {
            return false;
        }
    }

    private static String rsaKey() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder()
                        .encodeToString(generator.generateKeyPair().getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
    }

    /// Three that differ.
    private static List<Integer> freePorts() throws IOException {
        try (ServerSocket one = Relay.listening();
                ServerSocket two = Relay.listening();
                ServerSocket three = Relay.listening()) {
            return List.of(one.getLocalPort(), two.getLocalPort(), three.getLocalPort());
        }
    }

    @Override
    public void close() {
        // The API server first: without its etcd it would not end.
        end(apiserver);
        end(etcd);
    }

    private static void end(Process process) {
        process.destroy();
        process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
    }
}
