package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.daemon.RunProcess;
import dev.pointsman.kube.RealApiServer;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// `run` on a node as kubeadm sets one up: its flags and files at its paths, a real API server that
/// authorises by RBAC and knows kube-proxy by no more than the role `system:node-proxier`.
///
/// Meanwhile the API server restarts over the same store, with credentials that are not those of
/// before, and objects come and go.
@Tag("peers")
class KubeadmNodeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOKEN_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/token";
    private static final String CA_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt";

    /// What the daemon sees as `/run` and as `/var/lib`.
    @TempDir Path run;

    @TempDir Path lib;

    @TempDir Path folder;

    /// How the daemon shows who it is.
    private interface Identity {
        /// The user in the kubeconfig; empty for the identity of a Pod without any kubeconfig.
        String user();

        /// What the daemon has from the start.
        void first(KubernetesClient admin) throws Exception;

        /// Puts other credentials in the place of the first, which stop being valid by the next
        /// start of the API server.
        void replace(KubernetesClient admin) throws Exception;
    }

    @KernelTest
    void a_token_file_is_replaced_and_the_api_server_restarts() throws Exception {
        play(new Token("tokenFile: " + TOKEN_FILE));
    }

    @KernelTest
    void the_token_of_the_pod_is_replaced_and_the_api_server_restarts() throws Exception {
        play(new Token(""));
    }

    @KernelTest
    void a_client_certificate_is_replaced_and_the_api_server_restarts() throws Exception {
        play(new Certificate());
    }

    private void play(Identity identity) throws Exception {
        try (TestNamespace node = TestNamespace.create()) {
            authority();
            // Whatever is started or connected in there lives in the namespace.
            node.namespace()
                    .call(
                            () -> {
                                play(identity, node);
                                return identity;
                            });
        }
    }

    private void play(Identity identity, TestNamespace node) throws Exception {
        try (RealApiServer server =
                        RealApiServer.start(
                                folder,
                                "--authorization-mode=RBAC",
                                "--client-ca-file=" + folder.resolve("ca.crt"));
                KubernetesClient admin = server.admin()) {
            create(admin, CLUSTER);
            create(admin, service("web", "10.96.7.7"));
            kubeadm(identity, server, admin);
            assertThat(mayReadSecrets(admin)).as("kube-proxy may read Secrets").isFalse();
            RunProcess daemon = start(node, server, identity);
            try {
                until(node, rules -> rules.contains("10.96.7.7"));
                assertThat(daemon.said()).doesNotContainIgnoringCase("forbidden", "answers 403");
                identity.replace(admin);
                server.kill();
                assertThat(node.run("nft", "list", "ruleset")).contains("10.96.7.7");
                assertThat(node.run("curl", "-sS", "http://127.0.0.1:10249/metrics"))
                        .contains("pointsman_information_age_seconds{kind=\"Service\"}");
                assertThat(node.run("curl", "-sS", "--fail", "http://127.0.0.1:10256/healthz"))
                        .contains("\"healthy\":true");
                server.resume();
                admin.services().inNamespace("shop").withName("web").delete();
                create(admin, service("late", "10.96.7.8"));
                until(node, rules -> rules.contains("10.96.7.8") && !rules.contains("10.96.7.7"));
                assertThat(daemon.said())
                        .contains("rules stay as they are", "/api/v1/services is listed again");
            } catch (AssertionError e) {
                throw new AssertionError(e.getMessage() + "\nrun said:\n" + daemon.said(), e);
            } finally {
                assertThat(daemon.end()).isZero();
            }
        }
    }

    /// A token bound to a Secret is as valid as the Secret is there.
    private final class Token implements Identity {
        private final String user;

        Token(String user) {
            this.user = user;
        }

        @Override
        public String user() {
            return user;
        }

        @Override
        public void first(KubernetesClient admin) throws IOException {
            write(admin, "first");
        }

        @Override
        public void replace(KubernetesClient admin) throws IOException {
            write(admin, "second");
            admin.secrets().inNamespace("kube-system").withName("first").delete();
        }

        private void write(KubernetesClient admin, String secret) throws IOException {
            String uid =
                    admin.resource(
                                    new SecretBuilder()
                                            .withNewMetadata()
                                            .withName(secret)
                                            .withNamespace("kube-system")
                                            .endMetadata()
                                            .build())
                            .create()
                            .getMetadata()
                            .getUid();
            String token =
                    admin.serviceAccounts()
                            .inNamespace("kube-system")
                            .withName("kube-proxy")
                            .tokenRequest(
                                    new TokenRequestBuilder()
                                            .withNewSpec()
                                            .withNewBoundObjectRef("v1", "Secret", secret, uid)
                                            .endSpec()
                                            .build())
                            .getStatus()
                            .getToken();
            swap(inside(TOKEN_FILE), token);
        }
    }

    /// A certificate is as valid as its authority is known.
    private final class Certificate implements Identity {
        @Override
        public String user() {
            return "client-certificate: /var/lib/kube-proxy/client.crt, client-key:"
                    + " /var/lib/kube-proxy/client.key";
        }

        @Override
        public void first(KubernetesClient admin) throws Exception {
            write();
        }

        @Override
        public void replace(KubernetesClient admin) throws Exception {
            authority();
            write();
        }

        private void write() throws Exception {
            openssl(
                    "req -x509 -CA ca.crt -CAkey ca.key -newkey rsa:2048 -nodes -days 2"
                            + " -addext basicConstraints=CA:FALSE"
                            + " -addext extendedKeyUsage=clientAuth"
                            + " -subj /CN=system:kube-proxy -keyout client.key -out client.crt");
            for (String name : List.of("client.key", "client.crt")) {
                swap(inside("/var/lib/kube-proxy/" + name), Files.readString(folder.resolve(name)));
            }
        }
    }

    /// A new authority in place of the one there is.
    private void authority() throws Exception {
        openssl(
                "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ca -keyout ca.key -out ca.crt");
    }

    private void openssl(String arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments.split(" ")));
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    /// The files of kubeadm's ConfigMap and of the Pod's service account.
    private void kubeadm(Identity identity, RealApiServer server, KubernetesClient admin)
            throws Exception {
        Files.createDirectories(inside(TOKEN_FILE).getParent());
        Path configuration = Files.createDirectories(inside("/var/lib/kube-proxy"));
        Files.copy(folder.resolve("certs/apiserver.crt"), inside(CA_FILE));
        ConfigMap map =
                admin.configMaps()
                        .load(Path.of("src/test/resources/configurations/kubeadm.yaml").toFile())
                        .item();
        String kubeconfig = identity.user().isEmpty() ? "" : "/var/lib/kube-proxy/kubeconfig.conf";
        Files.writeString(
                configuration.resolve("config.conf"),
                Objects.requireNonNull(map.getData().get("config.conf"))
                        .replace("/var/lib/kube-proxy/kubeconfig.conf", kubeconfig));
        Files.writeString(
                configuration.resolve("kubeconfig.conf"),
                """
                apiVersion: v1
                kind: Config
                clusters: [{name: default, cluster: {certificate-authority: %s, server: "https://127.0.0.1:%d"}}]
                contexts: [{name: default, context: {cluster: default, namespace: default, user: default}}]
                current-context: default
                users: [{name: default, user: {%s}}]
                """
                        .formatted(CA_FILE, server.port(), identity.user()));
        identity.first(admin);
    }

    /// Where a file of the daemon is for everybody else.
    private Path inside(String path) {
        return path.startsWith("/var/run/")
                ? run.resolve(path.substring("/var/run/".length()))
                : lib.resolve(path.substring("/var/lib/".length()));
    }

    /// As the kubelet does it: never half.
    private static void swap(Path file, String content) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private RunProcess start(TestNamespace node, RealApiServer server, Identity identity)
            throws IOException {
        List<String> mounted =
                List.of(
                        "unshare",
                        "--mount",
                        "sh",
                        "-ec",
                        "mount --bind \"$1\" /run; mount --bind \"$2\" /var/lib; shift 2; exec"
                                + " \"$@\"",
                        "sh",
                        run.toString(),
                        lib.toString());
        Map<String, String> ofPod =
                identity.user().isEmpty()
                        ? Map.of(
                                "KUBERNETES_SERVICE_HOST",
                                "127.0.0.1",
                                "KUBERNETES_SERVICE_PORT",
                                String.valueOf(server.port()))
                        : Map.of();
        return RunProcess.start(
                node,
                folder.resolve("run.log"),
                new RunProcess.Around(mounted, ofPod),
                "--config=/var/lib/kube-proxy/config.conf",
                "--hostname-override=worker-1");
    }

    private static boolean mayReadSecrets(KubernetesClient admin) {
        return admin.authorization()
                .v1()
                .subjectAccessReview()
                .create(
                        new SubjectAccessReviewBuilder()
                                .withNewSpec()
                                .withUser("system:kube-proxy")
                                .withNewResourceAttributes()
                                .withVerb("list")
                                .withResource("secrets")
                                .endResourceAttributes()
                                .endSpec()
                                .build())
                .getStatus()
                .getAllowed();
    }

    private static void create(KubernetesClient admin, String yaml) {
        admin.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).create();
    }

    private static void until(TestNamespace node, Predicate<String> wanted) {
        Instant deadline = Instant.now().plus(PATIENCE);
        String rules = node.run("nft", "list", "ruleset");
        while (!wanted.test(rules)) {
            assertThat(Instant.now()).as("the rules are: " + rules).isBefore(deadline);
            rules = node.run("nft", "list", "ruleset");
        }
    }

    /// The binding is kubeadm's, and the one of the user `system:kube-proxy` is there by itself.
    private static final String CLUSTER =
            """
            apiVersion: v1
            kind: Node
            metadata: {name: worker-1}
            spec: {podCIDR: 10.244.0.0/24, podCIDRs: [10.244.0.0/24]}
            ---
            apiVersion: v1
            kind: Namespace
            metadata: {name: shop}
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: kube-proxy, namespace: kube-system}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: kubeadm:node-proxier}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: system:node-proxier}
            subjects: [{kind: ServiceAccount, name: kube-proxy, namespace: kube-system}]
            """;

    /// Without endpoints it is a rule that refuses.
    private static String service(String name, String address) {
        return """
               apiVersion: v1
               kind: Service
               metadata: {name: %s, namespace: shop}
               spec: {clusterIP: %s, ports: [{port: 80}]}
               """
                .formatted(name, address);
    }
}
