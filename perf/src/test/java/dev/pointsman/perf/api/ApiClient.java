package dev.pointsman.perf.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/// Asks an API server, a real one or ours, over real connections.
public final class ApiClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String address;
    private final String token;
    private final HttpClient http;

    /// An answer.
    public record Answer(int code, JsonNode body) {
        public List<String> names() {
            return body.path("items").valueStream().map(ApiClient::name).toList();
        }

        public String version() {
            return body.path("metadata").path("resourceVersion").asString();
        }

        /// Empty on the last page.
        public String next() {
            return body.path("metadata").path("continue").asString("");
        }
    }

    /// The lines of a watch as they come.
    public static final class Lines {
        /// After the last.
        private static final JsonNode END = MissingNode.getInstance();

        private final BlockingQueue<JsonNode> lines = new LinkedBlockingQueue<>();

        private Lines(Stream<String> text) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                try (text) {
                                    text.map(JsonMapper.shared()::readTree).forEach(lines::add);
                                } finally {
                                    lines.add(END);
                                }
                            });
        }

        /// The next, which has to come.
        public JsonNode next() throws InterruptedException {
            JsonNode line = lines.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            return Objects.requireNonNull(line, "neither a line nor the end of the watch");
        }

        /// All up to the first that is `last`, and that one.
        public List<JsonNode> until(Predicate<JsonNode> last) throws InterruptedException {
            List<JsonNode> all = new ArrayList<>();
            do {
                all.add(next());
            } while (!last.test(all.getLast()));
            return all;
        }

        /// All that is left, up to the end.
        public List<JsonNode> rest() throws InterruptedException {
            List<JsonNode> all = new ArrayList<>();
            for (JsonNode line = next(); !line.isMissingNode(); line = next()) {
                all.add(line);
            }
            return all;
        }
    }

    /// The server of the current context, with its trust settings.
    public ApiClient(Path kubeconfig) throws IOException, GeneralSecurityException {
        Config config = Config.fromKubeconfig(kubeconfig.toFile());
        address = config.getMasterUrl().replaceAll("/$", "");
        token = Objects.requireNonNullElse(config.getAutoOAuthToken(), "none");
        http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(SSLUtils.sslContext(config))
                        .build();
    }

    /// Such as `bench-1/service-2`, or without a namespace where it has none.
    public static String name(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        String namespace = metadata.path("namespace").asString("");
        return (namespace.isEmpty() ? "" : namespace + "/") + metadata.path("name").asString("");
    }

    /// The answer to a GET of `path`.
    public Answer get(String path) throws IOException, InterruptedException {
        return answer(request(path));
    }

    /// The same, if `accept` is what is wanted.
    Answer get(String path, String accept) throws IOException, InterruptedException {
        return answer(request(path).setHeader("Accept", accept));
    }

    Answer post(String path, String body) throws IOException, InterruptedException {
        return answer(request(path).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private Answer answer(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response =
                http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), JsonMapper.shared().readTree(response.body()));
    }

    /// All pages of a list of at most `limit` each.
    public List<Answer> pages(String path, int limit) throws IOException, InterruptedException {
        List<Answer> pages = new ArrayList<>();
        String next = "";
        do {
            pages.add(get(path + "?limit=" + limit + "&continue=" + next));
            next = pages.getLast().next();
        } while (!next.isEmpty());
        return pages;
    }

    /// Watches `path`, whose query begins with `?`.
    public Lines watch(String path) throws IOException, InterruptedException {
        HttpResponse<Stream<String>> response =
                http.send(
                        request(path + "&watch=true").build(), HttpResponse.BodyHandlers.ofLines());
        assertThat(response.statusCode()).isEqualTo(200);
        return new Lines(response.body());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(address + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json");
    }

    /// Cuts off whatever still goes on.
    @Override
    public void close() {
        http.shutdownNow();
    }
}
