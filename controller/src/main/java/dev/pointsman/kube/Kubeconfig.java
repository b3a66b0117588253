package dev.pointsman.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The current context of a kubeconfig, by the fields of [kubeconfig
/// v1](https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/).
///
/// fabric8 reads every kubeconfig, but with the classes of all Kubernetes objects and of a parser
/// for them, which would be a sixth of this process's memory; what proxies of clusters are given
/// needs none of that.
///
/// @param file what paths in it are relative to
record Kubeconfig(Path file, Map<?, ?> cluster, Map<?, ?> user) {
    /// What [#config] is made of, and what no connection depends on.
    private static final Set<String> OF_CLUSTER =
            Set.of(
                    "server",
                    "certificate-authority",
                    "certificate-authority-data",
                    "insecure-skip-tls-verify",
                    "extensions");

    private static final Set<String> OF_USER =
            Set.of(
                    "token",
                    "tokenFile",
                    "client-certificate",
                    "client-certificate-data",
                    "client-key",
                    "client-key-data",
                    "username",
                    "password",
                    "extensions");

    /// The message of an exception quotes nothing of the file.
    ///
    /// @throws IOException also if it is not what it should be
    /// @throws org.snakeyaml.engine.v2.exceptions.YamlEngineException if it is no YAML
    static Kubeconfig read(Path file) throws IOException {
        var yaml = new Load(LoadSettings.builder().setAllowDuplicateKeys(true).build());
        Map<?, ?> root = fields(yaml.loadFromString(Files.readString(file)), "the file");
        String current = text(root, "current-context");
        Map<?, ?> context = named(root, "contexts", current, "context");
        Map<?, ?> cluster = named(root, "clusters", text(context, "cluster"), "cluster");
        String user = text(context, "user");
        return new Kubeconfig(
                file, cluster, user.isEmpty() ? Map.of() : named(root, "users", user, "user"));
    }

    private static Map<?, ?> named(Map<?, ?> root, String list, String name, String field)
            throws IOException {
        if (root.get(list) instanceof List<?> entries) {
            for (Object entry : entries) {
                Map<?, ?> fields = fields(entry, "an entry of " + list);
                if (text(fields, "name").equals(name)) {
                    return fields(fields.get(field), field + " of an entry of " + list);
                }
            }
        }
        throw unusable(list + " has no entry of the name that is asked for");
    }

    private static Map<?, ?> fields(@Nullable Object value, String what) throws IOException {
        if (value instanceof Map<?, ?> fields) {
            return fields;
        }
        throw unusable(what + " is no object");
    }

    private static IOException unusable(String why) {
        return new IOException("the kubeconfig cannot be used as it is: " + why);
    }

    private static String text(Map<?, ?> fields, String name) {
        Object value = fields.get(name);
        return value == null ? "" : value.toString();
    }

    /// Whether [#config] says all of it: no proxy, no credentials from another program.
    boolean isPlain() {
        return OF_CLUSTER.containsAll(cluster.keySet()) && OF_USER.containsAll(user.keySet());
    }

    Config config() {
        boolean trusting = Boolean.parseBoolean(text(cluster, "insecure-skip-tls-verify"));
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(text(cluster, "server"))
                .withTrustCerts(trusting)
                .withDisableHostnameVerification(trusting)
                .withCaCertFile(path(cluster, "certificate-authority"))
                .withCaCertData(data(cluster, "certificate-authority-data"))
                .withClientCertFile(path(user, "client-certificate"))
                .withClientCertData(data(user, "client-certificate-data"))
                .withClientKeyFile(path(user, "client-key"))
                .withClientKeyData(data(user, "client-key-data"))
                .withAutoOAuthToken(data(user, "token"))
                .withUsername(data(user, "username"))
                .withPassword(data(user, "password"))
                .build();
    }

    /// The file that goes before a token of the kubeconfig itself. fabric8 does not know of it, and
    /// kubeadm's kube-proxy has nothing else.
    Optional<Path> tokenFile() {
        return Optional.ofNullable(path(user, "tokenFile")).map(Path::of);
    }

    private static @Nullable String data(Map<?, ?> fields, String name) {
        String text = text(fields, name);
        return text.isEmpty() ? null : text;
    }

    private @Nullable String path(Map<?, ?> fields, String name) {
        String text = text(fields, name);
        return text.isEmpty() ? null : file.resolveSibling(text).toString();
    }

    /// Without what it holds: that can be a token.
    @Override
    public String toString() {
        return "kubeconfig " + file;
    }
}
