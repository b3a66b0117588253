package dev.pointsman.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/// How to get at an API server, as the files that say so stood when they were read: all of them can
/// be replaced while the process runs.
///
/// Prints no credentials.
final class Access {
    /// Where it is read from, again and again.
    @FunctionalInterface
    interface Source {
        Access read() throws IOException;
    }

    private final Config config;
    private final String token;

    /// @param token empty for none
    private Access(Config config, String token) {
        this.config = config;
        this.token = token;
    }

    /// The current context of a kubeconfig.
    static Access ofKubeconfig(Path file) throws IOException {
        try {
            Kubeconfig kubeconfig = Kubeconfig.read(file);
            Config config =
                    kubeconfig.isPlain()
                            ? kubeconfig.config()
                            : Config.fromKubeconfig(file.toFile());
            Optional<Path> tokenFile = kubeconfig.tokenFile();
            return of(config, tokenFile.isEmpty() ? token(config) : token(tokenFile.get()));
        } catch (RuntimeException e) {
            // Neither as a cause nor in other words: parsers quote what they stumble over, and
            // that can be a token.
            throw new IOException("the kubeconfig cannot be used as it is" + place(e));
        }
    }

    private static String place(RuntimeException e) {
        return e instanceof MarkedYamlEngineException marked
                ? marked.getProblemMark().map(mark -> ", line " + (mark.getLine() + 1)).orElse("")
                : "";
    }

    /// What is given to a Pod of the cluster.
    static Access ofThisCluster() throws IOException {
        Config config = Config.autoConfigure(null);
        return of(config, token(config));
    }

    /// No more than an address.
    static Access of(String address) throws IOException {
        return of(new ConfigBuilder(Config.empty()).withMasterUrl(address).build(), "");
    }

    /// The same credentials and trust for a server elsewhere.
    Access at(String address) {
        return new Access(new ConfigBuilder(config).withMasterUrl(address).build(), token);
    }

    /// Takes in the files that `config` names, so that what is compared is what is used.
    private static Access of(Config config, String token) throws IOException {
        return new Access(
                new ConfigBuilder(config)
                        .withCaCertData(content(config.getCaCertData(), config.getCaCertFile()))
                        .withClientCertData(
                                content(config.getClientCertData(), config.getClientCertFile()))
                        .withClientKeyData(
                                content(config.getClientKeyData(), config.getClientKeyFile()))
                        .build(),
                token);
    }

    private static @Nullable String content(@Nullable String data, @Nullable String file)
            throws IOException {
        return file == null || data != null
                ? data
                : Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(file)));
    }

    private static String token(Config config) {
        return Stream.of(config.getOauthToken(), config.getAutoOAuthToken())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
    }

    private static String token(Path file) throws IOException {
        String token = Files.readString(file).strip();
        if (token.isEmpty()) {
            throw new IOException(file + ": holds no token");
        }
        return token;
    }

    Config config() {
        return config;
    }

    String token() {
        return token;
    }

    /// Whether the same connections serve, if only the token is another.
    boolean connectsLike(Access other) {
        return connection().equals(other.connection());
    }

    private List<String> connection() {
        return Stream.of(
                        config.getMasterUrl(),
                        String.valueOf(config.isTrustCerts()),
                        config.getCaCertData(),
                        config.getClientCertData(),
                        config.getClientKeyData(),
                        config.getUsername(),
                        config.getPassword())
                .map(String::valueOf)
                .toList();
    }
}
