package dev.pointsman.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.daemon.RunProcess;
import dev.pointsman.kube.RealApiServer;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// A real API server takes the manifests, and gives the daemon all that it asks for when it comes
/// as the account that is in them.
@Tag("peers")
final class ClusterAcceptsTest {
    private static final String ACCOUNT = "system:serviceaccount:kube-system:pointsman";

    /// Writes down what the account asks for, and nothing else.
    private static final String AUDIT =
            """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            rules:
              - {level: Metadata, users: ["%s"], omitStages: [RequestReceived]}
              - {level: None}
            """
                    .formatted(ACCOUNT);

    private static final String NODE =
            """
            apiVersion: v1
            kind: Node
            metadata: {name: worker-1}
            spec: {podCIDR: 10.244.0.0/24, podCIDRs: [10.244.0.0/24]}
            """;

    @TempDir Path folder;

    @KernelTest
    void the_manifests_and_what_their_account_asks_for() throws Exception {
        Tool kubectl = Tool.kubectl();
        try (TestNamespace node = TestNamespace.create()) {
            // Whatever is started or connected in there lives in the namespace.
            node.namespace()
                    .call(
                            () -> {
                                play(kubectl, node);
                                return node;
                            });
        }
    }

    private void play(Tool kubectl, TestNamespace node) throws Exception {
        Path audit = folder.resolve("audit.log");
        try (RealApiServer server =
                RealApiServer.start(
                        folder,
                        "--authorization-mode=RBAC",
                        "--allow-privileged=true",
                        "--audit-log-path=" + audit,
                        "--audit-policy-file="
                                + Files.writeString(folder.resolve("audit.yaml"), AUDIT))) {
            String kubeconfig = "--kubeconfig=" + server.kubeconfig();
            for (String overlay : new String[] {"nftables", "iptables", "ipvs"}) {
                kubectl.run(
                        kubeconfig,
                        "apply",
                        "--server-side",
                        "--dry-run=server",
                        "--validate=strict",
                        "--kustomize=kustomize/overlays/" + overlay);
            }
            kubectl.run(kubeconfig, "apply", "--server-side", "--kustomize=kustomize/base");
            Path worker = Files.writeString(folder.resolve("node.yaml"), NODE);
            kubectl.run(kubeconfig, "create", "--filename=" + worker);
            RunProcess daemon =
                    RunProcess.start(
                            node,
                            folder.resolve("run.log"),
                            "run",
                            "--mode=nftables",
                            "--node=worker-1",
                            "--kubeconfig="
                                    + asAccount(
                                            server,
                                            kubectl.run(
                                                    kubeconfig,
                                                    "--namespace=kube-system",
                                                    "create",
                                                    "token",
                                                    "pointsman")));
            daemon.await("IPv6: ");
            // By then it has posted that it starts, which nothing waits for.
            kubectl.run(
                    kubeconfig,
                    "wait",
                    "--for=create",
                    "--timeout=60s",
                    "events.events.k8s.io",
                    "--all",
                    "--namespace=default");
            assertThat(daemon.end()).isZero();
        }
        assertThat(asked(audit, "allow"))
                .contains(
                        "list services",
                        "watch services",
                        "list endpointslices",
                        "watch endpointslices",
                        "list servicecidrs",
                        "watch servicecidrs",
                        "list nodes",
                        "watch nodes",
                        "create events");
        assertThat(asked(audit, "forbid")).isEmpty();
    }

    /// The administrator's, with a token of the account in place of his.
    private Path asAccount(RealApiServer server, String token) throws IOException {
        return Files.writeString(
                folder.resolve("kubeconfig"),
                Files.readString(server.kubeconfig())
                        .replaceAll("token: \"[^\"]*\"", "token: \"" + token.strip() + "\""));
    }

    /// Verbs and resources that the server decided about in that way.
    private static SortedSet<String> asked(Path audit, String decision) throws Exception {
        SortedSet<String> asked = new TreeSet<>();
        for (String line : Files.readAllLines(audit)) {
            // JSON is YAML.
            Map<?, ?> event =
                    (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(line);
            Map<?, ?> annotations = (Map<?, ?>) event.get("annotations");
            Map<?, ?> object = (Map<?, ?>) event.get("objectRef");
            if (decision.equals(
                    Objects.requireNonNull(annotations).get("authorization.k8s.io/decision"))) {
                asked.add(event.get("verb") + " " + Objects.requireNonNull(object).get("resource"));
            }
        }
        return asked;
    }
}
