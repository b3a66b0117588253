package dev.pointsman.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A connection to an API server: addresses, credentials and trust are fabric8's business, what the
/// answers mean is not.
///
/// Prints no credentials: nothing of the configuration is shown but the address.
public final class ApiServer implements AutoCloseable {
    private static final int ANSWER_SECONDS = 30;

    /// An answer whose body is still to be read.
    record Answer(int code, InputStream body) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    private final KubernetesClient client;
    private final String address;

    private ApiServer(Config config) {
        Config ours =
                new ConfigBuilder(config)
                        // Whoever asks decides when to ask again.
                        .withRequestRetryBackoffLimit(0)
                        .build();
        client = new KubernetesClientBuilder().withConfig(ours).build();
        address = client.getMasterUrl().toString().replaceAll("/+$", "");
    }

    /// The server of the current context of `kubeconfig`, with its trust settings.
    public static ApiServer of(Path kubeconfig) {
        return new ApiServer(Config.fromKubeconfig(kubeconfig.toFile()));
    }

    /// The server of the cluster that this process runs in as a Pod.
    public static ApiServer ofThisCluster() {
        return new ApiServer(Config.autoConfigure(null));
    }

    /// The server at `address`, with the credentials and the trust of `kubeconfig`.
    public static ApiServer of(Path kubeconfig, String address) {
        return new ApiServer(
                new ConfigBuilder(Config.fromKubeconfig(kubeconfig.toFile()))
                        .withMasterUrl(address)
                        .build());
    }

    /// The server at `address`, without credentials.
    public static ApiServer at(String address) {
        return new ApiServer(new ConfigBuilder(Config.empty()).withMasterUrl(address).build());
    }

    /// Such as `https://10.96.0.1:443`.
    public String address() {
        return address;
    }

    /// Asks for `path`, which begins with a slash and is encoded, and waits for the answer to
    /// begin.
    Answer get(String path) throws IOException, InterruptedException {
        return answer(request(path).build());
    }

    /// Has the object `json` created in the list at `path`.
    Answer post(String path, String json) throws IOException, InterruptedException {
        return answer(request(path).post("application/json", json).build());
    }

    /// Has `json` merged into the object at `path`.
    Answer patch(String path, String json) throws IOException, InterruptedException {
        return answer(request(path).method("PATCH", "application/merge-patch+json", json).build());
    }

    private HttpRequest.Builder request(String path) {
        return client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(address + path)
                .header("Accept", "application/json");
    }

    private Answer answer(HttpRequest request) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<InputStream>> answer =
                client.getHttpClient().sendAsync(request, InputStream.class);
        try {
            HttpResponse<InputStream> response = answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
            return new Answer(response.code(), response.body());
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + ANSWER_SECONDS + " s", e);
        } finally {
            // Does nothing to an answer that is there; one that comes later is closed.
            answer.cancel(true);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
