package dev.pointsman.serve;

import dev.pointsman.graph.IpAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Asks servers of this machine, over real connections.
final class Web {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final HttpClient CLIENT =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(PATIENCE)
                    .build();

    private Web() {}

    static HttpResponse<String> get(InetSocketAddress at, String path)
            throws IOException, InterruptedException {
        return ask("GET", at, path);
    }

    static HttpResponse<String> ask(String method, InetSocketAddress at, String path)
            throws IOException, InterruptedException {
        return send(method, at, path, HttpRequest.BodyPublishers.noBody());
    }

    static HttpResponse<String> put(InetSocketAddress at, String path, String body)
            throws IOException, InterruptedException {
        return send("PUT", at, path, HttpRequest.BodyPublishers.ofString(body));
    }

    private static HttpResponse<String> send(
            String method, InetSocketAddress at, String path, HttpRequest.BodyPublisher body)
            throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://" + Addresses.spelt(at) + path))
                        .timeout(PATIENCE)
                        .method(method, body)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /// Sends `bytes` and reads until the server closes.
    static String raw(InetSocketAddress at, String bytes) throws IOException {
        try (Socket socket = new Socket(at.getAddress(), at.getPort())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static InetSocketAddress anyPort() {
        return Addresses.socket(IpAddress.parse("127.0.0.1"), 0);
    }
}
