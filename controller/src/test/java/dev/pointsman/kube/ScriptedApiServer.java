package dev.pointsman.kube;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// Gives prepared answers and remembers what it was asked. Without a prepared answer a list is
/// empty and a watch is silent.
public final class ScriptedApiServer implements AutoCloseable {
    /// What comes after the text of an answer.
    public enum Then {
        END,
        SILENCE,
        /// One space after the other, for ever.
        DRIBBLE,
        /// The connection breaks.
        BREAK
    }

    public record Answer(int code, String text, Then then) {}

    private static final int DRIBBLE_MILLIS = 10;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Queue<Answer>> answers = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> holds = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile String retryAfter = "";

    public ScriptedApiServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + port();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /// The next list of `resource`, such as `services`.
    public ScriptedApiServer list(String resource, int code, String text) {
        return list(resource, new Answer(code, text, Then.END));
    }

    public ScriptedApiServer list(String resource, Answer answer) {
        return prepare("list " + resource, answer);
    }

    /// All answers from now on ask for patience.
    void retryAfter(int seconds) {
        retryAfter = String.valueOf(seconds);
    }

    /// The next watch of `resource`.
    public ScriptedApiServer watch(String resource, String text, Then then) {
        return prepare("watch " + resource, new Answer(200, text, then));
    }

    /// Lists of `resource` are not answered until the latch is released.
    CountDownLatch hold(String resource) {
        return holds.computeIfAbsent("list " + resource, _ -> new CountDownLatch(1));
    }

    /// Path and decoded query of all requests for `resource`.
    List<String> requests(String resource) {
        return requests.stream().filter(r -> r.contains("/" + resource + "?")).toList();
    }

    private ScriptedApiServer prepare(String key, Answer answer) {
        answers.computeIfAbsent(key, _ -> new ConcurrentLinkedQueue<>()).add(answer);
        return this;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String query = String.valueOf(exchange.getRequestURI().getRawQuery());
        String path = exchange.getRequestURI().getPath();
        String resource = path.substring(path.lastIndexOf('/') + 1);
        boolean watch = query.contains("watch=true");
        requests.add(path + "?" + URLDecoder.decode(query, StandardCharsets.UTF_8));
        Answer otherwise =
                watch
                        ? new Answer(200, "", Then.SILENCE)
                        : new Answer(
                                200,
                                "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}",
                                Then.END);
        String key = (watch ? "watch " : "list ") + resource;
        try (exchange) {
            holds.getOrDefault(key, new CountDownLatch(0)).await();
            Answer prepared = answers.getOrDefault(key, new ConcurrentLinkedQueue<>()).poll();
            Answer answer = prepared == null ? otherwise : prepared;
            if (!retryAfter.isEmpty()) {
                exchange.getResponseHeaders().add("Retry-After", retryAfter);
            }
            byte[] text = answer.text().getBytes(StandardCharsets.UTF_8);
            // Of an answer that breaks, more is promised than comes: a length of 0 is any.
            exchange.sendResponseHeaders(
                    answer.code(), answer.then() == Then.BREAK ? text.length + 1 : 0);
            OutputStream body = exchange.getResponseBody();
            body.write(text);
            body.flush();
            switch (answer.then()) {
                case END -> body.close();
                case SILENCE -> closing.await();
                case DRIBBLE -> {
                    while (!closing.await(DRIBBLE_MILLIS, TimeUnit.MILLISECONDS)) {
                        body.write(' ');
                        body.flush();
                    }
                }
                case BREAK -> {}
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closing.countDown();
        holds.values().forEach(CountDownLatch::countDown);
        server.stop(0);
        threads.shutdownNow();
    }
}
