package dev.pointsman.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AccessTest {
    @TempDir Path folder;

    private Path kubeconfig(String text) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), text);
    }

    @Test
    void of_a_file_that_cannot_be_parsed_only_the_place_is_told() throws IOException {
        Path file = kubeconfig("apiVersion: v1\nusers: [{name: u, user: {token: s3cret\nx: y\n");
        assertThatThrownBy(() -> Access.ofKubeconfig(file))
                .isInstanceOf(IOException.class)
                .hasMessage("the kubeconfig cannot be used as it is, line 3")
                .hasNoCause();
    }

    @Test
    void a_file_that_is_empty_for_a_moment_is_no_fault_of_ours() throws IOException {
        Path file = kubeconfig("");
        assertThatThrownBy(() -> Access.ofKubeconfig(file))
                .isInstanceOf(IOException.class)
                .hasMessage("the kubeconfig cannot be used as it is: the file is no object");
    }

    @Test
    void a_plain_kubeconfig_says_what_fabric8_says_that_it_says() throws IOException {
        Files.writeString(folder.resolve("ca.crt"), "CA");
        for (String text :
                List.of(
                        """
                        apiVersion: v1
                        kind: Config
                        clusters:
                        - cluster: {certificate-authority: ca.crt, server: "https://10.0.0.1:6443"}
                          name: default
                        contexts:
                        - context: {cluster: default, namespace: default, user: default}
                          name: default
                        current-context: default
                        users:
                        - name: default
                          user: {token: abc}
                        """,
                        """
                        clusters:
                        - name: other
                          cluster: {server: "http://127.0.0.1:8080"}
                        - name: secure
                          cluster:
                            server: api.example:443
                            insecure-skip-tls-verify: true
                            certificate-authority-data: Q0E=
                            extensions: [{name: cluster_info, extension: {provider: x}}]
                        contexts:
                        - {name: a, context: {cluster: other, user: none}}
                        - {name: b, context: {cluster: secure, user: both}}
                        current-context: b
                        users:
                        - {name: both, user: {client-certificate: /c, client-key-data: S0VZ, username: u, password: p}}
                        """)) {
            Path file = kubeconfig(text);
            Kubeconfig kubeconfig = Kubeconfig.read(file);
            assertThat(kubeconfig.isPlain()).isTrue();
            assertThat(facts(kubeconfig.config()))
                    .isEqualTo(facts(Config.fromKubeconfig(file.toFile())));
        }
    }

    private static Map<String, Object> facts(Config config) {
        Map<String, Object> facts = new HashMap<>();
        facts.put("server", config.getMasterUrl());
        facts.put("trusts all", config.isTrustCerts());
        facts.put("ca", config.getCaCertFile());
        facts.put("ca data", config.getCaCertData());
        facts.put("certificate", config.getClientCertFile());
        facts.put("certificate data", config.getClientCertData());
        facts.put("key", config.getClientKeyFile());
        facts.put("key data", config.getClientKeyData());
        facts.put("token", config.getAutoOAuthToken());
        facts.put("user", config.getUsername());
        facts.put("password", config.getPassword());
        return facts;
    }

    @Test
    void what_needs_a_program_or_a_proxy_is_left_to_fabric8() throws IOException {
        String text =
                """
                clusters: [{name: c, cluster: {server: "https://api.example"%s}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                users: [{name: u, user: {%s}}]
                """;
        assertThat(Kubeconfig.read(kubeconfig(text.formatted("", "token: t"))).isPlain()).isTrue();
        for (String more :
                List.of(", proxy-url: \"http://proxy:3128\"", ", tls-server-name: api")) {
            Path file = kubeconfig(text.formatted(more, "token: t"));
            assertThat(Kubeconfig.read(file).isPlain()).as(more).isFalse();
        }
        Path program =
                Files.writeString(
                        folder.resolve("login"),
                        """
                        #!/bin/sh
                        echo '{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1",'
                        echo '"status": {"token": "from-a-program"}}'
                        """);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Path file =
                kubeconfig(
                        text.formatted(
                                "",
                                "exec: {apiVersion: client.authentication.k8s.io/v1, command: "
                                        + program
                                        + ", interactiveMode: Never}"));
        assertThat(Access.ofKubeconfig(file).token()).isEqualTo("from-a-program");
    }

    @Test
    void what_is_missing_is_told() throws IOException {
        for (String list : List.of("contexts", "clusters")) {
            String asked = list.equals("contexts") ? "y" : "x";
            Path file =
                    kubeconfig(
                            """
                            contexts: [{name: x, context: {cluster: c}}]
                            current-context: %s
                            clusters: []
                            """
                                    .formatted(asked));
            assertThatThrownBy(() -> Access.ofKubeconfig(file))
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "the kubeconfig cannot be used as it is: "
                                    + list
                                    + " has no entry of the name that is asked for");
        }
    }
}
