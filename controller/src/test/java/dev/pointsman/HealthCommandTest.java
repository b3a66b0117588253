package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What an image's health check gets to see of the health page.
final class HealthCommandTest {
    private final Console console = new Console(List::of, "node-a");

    private int health(String url) {
        return console.run(InputStream.nullInputStream(), List.of("health", "--url", url));
    }

    /// Asks a page that answers with `status`.
    private int healthOf(int status) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/healthz",
                exchange -> {
                    exchange.sendResponseHeaders(status, -1);
                    exchange.close();
                });
        server.start();
        try {
            return health("http://127.0.0.1:" + server.getAddress().getPort() + "/healthz");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void whoever_answers_200_is_healthy() throws IOException {
        assertThat(healthOf(200)).isZero();
        assertThat(console.out.toString()).isEqualTo("healthy\n");
    }

    @Test
    void whoever_answers_anything_else_is_not() throws IOException {
        assertThat(healthOf(503)).isEqualTo(1);
        assertThat(console.out.toString()).isEmpty();
        assertThat(console.err.toString())
                .matches(
                        "error: http://127.0.0.1:\\d+/healthz answers 503; its log says what is"
                                + " wrong\n");
    }

    @Test
    void nobody_is_not_healthy_either() {
        // Port 1 is tcpmux's, and nobody has that.
        assertThat(health("http://127.0.0.1:1/healthz")).isEqualTo(1);
        assertThat(console.err.toString())
                .isEqualTo(
                        "error: http://127.0.0.1:1/healthz cannot be asked: Connection refused\n");
    }

    @Test
    void what_is_no_page_is_bad_usage() {
        assertThat(health("file:///etc/hostname")).isEqualTo(2);
        assertThat(health("healthz")).isEqualTo(2);
    }
}
