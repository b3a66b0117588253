package dev.pointsman.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.graph.IpAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HttpThreadTest {
    private static final Limits SHORT =
            new Limits(Duration.ofMillis(200), Duration.ofMillis(200), 2);
    private static final String LARGE = "x".repeat(20_000_000);

    private final HttpThread http = new HttpThread(Limits.DEFAULT, _ -> {});
    private final HttpThread hasty = new HttpThread(SHORT, _ -> {});

    @AfterEach
    void close() {
        http.close();
        hasty.close();
    }

    private static Answer page(Ask ask) {
        return switch (ask.path()) {
            case "/large" -> Answer.text(Answer.OK, LARGE);
            case "/echo" -> Answer.text(Answer.OK, String.valueOf(ask.parameters()));
            case "/picky" -> throw new IllegalArgumentException("that is no name");
            case "/broken" -> throw new IllegalStateException("a test broke it");
            default -> Answer.notFound();
        };
    }

    private static InetSocketAddress open(HttpThread on) throws IOException {
        return on.open(Web.anyPort(), HttpThreadTest::page).address();
    }

    @Test
    void get_answers_with_headers_and_body() throws Exception {
        HttpResponse<String> answer = Web.get(open(http), "/echo?b=2&a=%2F&b=3");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{a=/, b=3}");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.headers().firstValue("Content-Length")).contains("10");
    }

    @Test
    void head_has_the_headers_of_get_and_no_body() throws Exception {
        HttpResponse<String> answer = Web.ask("HEAD", open(http), "/echo?a=1");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Length")).contains("5");
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void other_methods_and_pages_are_refused() throws Exception {
        InetSocketAddress at = open(http);
        assertThat(Web.get(at, "/none").statusCode()).isEqualTo(404);
        HttpResponse<String> answer = Web.ask("POST", at, "/echo");
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD");
        assertThat(Web.get(at, "/picky").statusCode()).isEqualTo(400);
        assertThat(Web.get(at, "/picky").body()).contains("that is no name");
    }

    @Test
    void what_is_too_long_is_refused_and_cut_off() throws Exception {
        InetSocketAddress at = open(http);
        String longText = "x".repeat(9000);
        assertThat(Web.raw(at, "GET /" + longText + " HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 414 ");
        assertThat(Web.raw(at, "GET / HTTP/1.1\r\nA: " + longText + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431 ");
        assertThat(
                        Web.raw(
                                at,
                                "POST / HTTP/1.1\r\nContent-Length: 17\r\nConnection:"
                                        + " close\r\n\r\nxxxxxxxxxxxxxxxxx"))
                .startsWith("HTTP/1.1 413 ");
        assertThat(Web.raw(at, "nonsense\r\n\r\n")).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void requests_that_come_at_once_are_answered_one_by_one() throws Exception {
        String answers =
                Web.raw(
                        open(http),
                        "GET /echo?n=1 HTTP/1.1\r\n\r\nGET /echo?n=2 HTTP/1.1\r\nConnection:"
                                + " close\r\n\r\n");
        assertThat(answers).containsSubsequence("{n=1}", "HTTP/1.1 200 OK", "{n=2}");
    }

    @Test
    void a_client_that_never_ends_its_request_is_cut_off() throws Exception {
        InetSocketAddress at = open(hasty);
        assertThat(Web.raw(at, "GET /echo HTTP/1.1\r\nA:")).isEmpty();
        assertThat(Web.raw(at, "")).isEmpty();
    }

    @Test
    void a_client_that_does_not_read_holds_up_nobody() throws Exception {
        InetSocketAddress at = open(http);
        try (Socket slow = new Socket(at.getAddress(), at.getPort())) {
            slow.getOutputStream()
                    .write("GET /large HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(Web.get(at, "/echo").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void a_client_that_does_not_read_is_cut_off() throws Exception {
        HttpThread narrow =
                new HttpThread(new Limits(Duration.ofSeconds(50), SHORT.answer(), 1), _ -> {});
        try {
            InetSocketAddress at = open(narrow);
            try (Socket slow = new Socket(at.getAddress(), at.getPort())) {
                slow.getOutputStream()
                        .write("GET /large HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                // Until then nobody else gets in.
                awaitAnswer(at);
                assertThat(slow.getInputStream().readAllBytes().length).isLessThan(LARGE.length());
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("reset");
            }
        } finally {
            narrow.close();
        }
    }

    private static void awaitAnswer(InetSocketAddress at) {
        boolean answered = false;
        while (!answered) {
            try {
                answered = Web.raw(at, "GET /echo HTTP/1.0\r\n\r\n").startsWith("HTTP/1.1 200");
            } catch (IOException _) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void more_connections_than_allowed_are_turned_away() throws Exception {
        HttpThread narrow =
                new HttpThread(new Limits(Duration.ofSeconds(50), SHORT.answer(), 1), _ -> {});
        try {
            InetSocketAddress at = open(narrow);
            try (Socket first = new Socket(at.getAddress(), at.getPort())) {
                first.getOutputStream()
                        .write("GET /echo HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(first.getInputStream().read()).isEqualTo('H');
                try {
                    assertThat(Web.raw(at, "GET /echo HTTP/1.1\r\n\r\n")).isEmpty();
                } catch (IOException e) {
                    assertThat(e).hasMessageContaining("reset");
                }
            }
        } finally {
            narrow.close();
        }
    }

    @Test
    void a_page_that_fails_ends_its_connection_and_nothing_else() throws Exception {
        InetSocketAddress at = open(http);
        assertThatThrownBy(() -> Web.get(at, "/broken")).isInstanceOf(IOException.class);
        assertThat(Web.get(at, "/echo").statusCode()).isEqualTo(200);
    }

    @Test
    void all_addresses_are_those_of_both_families_and_one_is_one() throws Exception {
        for (String all : new String[] {"0.0.0.0", "::"}) {
            int port = port(all);
            assertThat(status("127.0.0.1", port)).as(all).isEqualTo(200);
            assertThat(status("::1", port)).as(all).isEqualTo(200);
        }
        int ofIpv4 = port("127.0.0.1");
        assertThat(status("127.0.0.1", ofIpv4)).isEqualTo(200);
        assertThatThrownBy(() -> status("::1", ofIpv4)).isInstanceOf(IOException.class);
        int ofIpv6 = port("::1");
        assertThat(status("::1", ofIpv6)).isEqualTo(200);
        assertThatThrownBy(() -> status("127.0.0.1", ofIpv6)).isInstanceOf(IOException.class);
    }

    private int port(String address) throws IOException {
        InetSocketAddress at = Addresses.socket(IpAddress.parse(address), 0);
        return http.open(at, HttpThreadTest::page).address().getPort();
    }

    private static int status(String address, int port) throws Exception {
        return Web.get(Addresses.socket(IpAddress.parse(address), port), "/echo").statusCode();
    }

    @Test
    void a_closed_port_answers_nobody() throws Exception {
        Listener listener = http.open(Web.anyPort(), HttpThreadTest::page);
        InetSocketAddress at = listener.address();
        try (Socket open = new Socket(at.getAddress(), at.getPort())) {
            open.getOutputStream()
                    .write("GET /echo HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(open.getInputStream().read()).isEqualTo('H');
            listener.channel().close().syncUninterruptibly();
            listener.close();
            open.getInputStream().readAllBytes();
        }
        http.close();
        assertThatThrownBy(() -> new Socket(at.getAddress(), at.getPort()))
                .isInstanceOf(ConnectException.class);
    }
}
