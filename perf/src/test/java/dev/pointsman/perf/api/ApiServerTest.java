package dev.pointsman.perf.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.perf.api.ApiClient.Answer;
import dev.pointsman.perf.api.ApiClient.Lines;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What clients get to see, over real connections.
class ApiServerTest {
    private static final String SERVICES = "/api/v1/services";
    private static final int PATIENCE_MILLIS = 120_000;
    private static final String SLICES = "/apis/discovery.k8s.io/v1/endpointslices";

    private final Store store = new Store();
    private final ApiServer server;
    private final ApiClient client;

    ApiServerTest(@TempDir Path folder) throws Exception {
        server =
                ApiServer.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), store);
        client = new ApiClient(server.kubeconfig(folder));
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private static Lines watch(ApiClient client, String path, long version) throws Exception {
        return client.watch(path + "?resourceVersion=" + version);
    }

    private static String told(JsonNode line) {
        return line.path("type").asString() + " " + ApiClient.name(line.path("object"));
    }

    private static long version(JsonNode line) {
        return Long.parseLong(
                line.path("object").path("metadata").path("resourceVersion").asString());
    }

    @Test
    void every_write_is_told_with_its_version() throws Exception {
        Lines lines = watch(client, SERVICES, store.version());
        long created = store.put(Shop.web());
        long changed = store.put(Shop.web("tier=front"));
        long deleted = store.delete(Kind.SERVICE, "shop", "web");
        List<JsonNode> said = List.of(lines.next(), lines.next(), lines.next());
        assertThat(said)
                .extracting(ApiServerTest::told)
                .containsExactly("ADDED shop/web", "MODIFIED shop/web", "DELETED shop/web");
        assertThat(said)
                .extracting(ApiServerTest::version)
                .containsExactly(created, changed, deleted);
    }

    @Test
    void who_comes_back_is_told_what_happened_meanwhile() throws Exception {
        store.put(Shop.web());
        long left = store.version();
        store.put(Shop.slice("web", "10.128.0.10"));
        store.put(Shop.web("tier=front"));
        store.delete(Kind.SERVICE, "shop", "web");
        Lines lines = watch(client, SERVICES, left);
        assertThat(told(lines.next())).isEqualTo("MODIFIED shop/web");
        assertThat(told(lines.next())).isEqualTo("DELETED shop/web");
    }

    @Test
    void who_comes_back_too_late_is_sent_away_and_who_stayed_misses_nothing() throws Exception {
        long old = store.version();
        Lines stayed = watch(client, SERVICES, old);
        store.put(Shop.web());
        store.compact();
        store.put(Shop.web("tier=front"));
        List<JsonNode> late = watch(client, SERVICES, old).rest();
        assertThat(late).hasSize(1);
        assertThat(late.getFirst().path("type").asString()).isEqualTo("ERROR");
        assertThat(late.getFirst().path("object").path("code").asInt()).isEqualTo(410);
        assertThat(told(stayed.next())).isEqualTo("ADDED shop/web");
        assertThat(told(stayed.next())).isEqualTo("MODIFIED shop/web");
    }

    @Test
    void what_is_no_longer_selected_is_as_good_as_deleted() throws Exception {
        Lines lines =
                client.watch(
                        SERVICES
                                + "?labelSelector=%21service.kubernetes.io%2Fservice-proxy-name"
                                + "&resourceVersion="
                                + store.version());
        store.put(Shop.web());
        long others = store.put(Shop.web("service.kubernetes.io/service-proxy-name=mesh"));
        store.put(Shop.web("service.kubernetes.io/service-proxy-name=mesh", "tier=front"));
        store.put(Shop.web());
        assertThat(told(lines.next())).isEqualTo("ADDED shop/web");
        JsonNode gone = lines.next();
        assertThat(told(gone)).isEqualTo("DELETED shop/web");
        assertThat(version(gone)).isEqualTo(others);
        assertThat(gone.path("object").path("metadata").path("labels").size()).isEqualTo(1);
        assertThat(told(lines.next())).isEqualTo("ADDED shop/web");
    }

    @Test
    void pages_are_of_one_moment() throws Exception {
        for (String name : List.of("a", "b", "c", "d")) {
            store.put(Shop.slice(name, "10.128.0.10"));
        }
        Answer first = client.get(SLICES + "?limit=2");
        store.delete(Kind.ENDPOINT_SLICE, "shop", "c-1");
        store.put(Shop.slice("e", "10.128.0.10"));
        Answer second = client.get(SLICES + "?limit=2&continue=" + first.next());
        assertThat(first.names()).containsExactly("shop/a-1", "shop/b-1");
        assertThat(second.names()).containsExactly("shop/c-1", "shop/d-1");
        assertThat(second.version()).isEqualTo(first.version());
        assertThat(second.next()).isEmpty();
        store.compact();
        assertThat(client.get(SLICES + "?limit=2&continue=" + first.next()).code()).isEqualTo(410);
    }

    @Test
    void who_reads_nothing_holds_up_nobody_and_gets_everything_later() throws Exception {
        int changes = 4000;
        long before = store.version();
        try (Socket slow = new Socket(server.address().getAddress(), server.address().getPort())) {
            slow.setSoTimeout(PATIENCE_MILLIS);
            slow.getOutputStream()
                    .write(
                            "GET %s?watch=true&resourceVersion=%d HTTP/1.1\r\nHost: x\r\n\r\n"
                                    .formatted(SLICES, before)
                                    .getBytes(StandardCharsets.US_ASCII));
            BufferedReader head =
                    new BufferedReader(
                            new InputStreamReader(slow.getInputStream(), StandardCharsets.UTF_8),
                            1);
            assertThat(head.readLine()).isEqualTo("HTTP/1.1 200 OK");
            Lines quick = watch(client, SLICES, before);
            // More than any buffer between the two holds.
            String padding = "x".repeat(10_000);
            for (int change = 0; change < changes; change++) {
                store.put(Shop.slice("web", padding + change));
            }
            for (int change = 0; change < changes; change++) {
                quick.next();
            }
            store.compact();
            long read =
                    head.lines().filter(line -> line.contains("\"type\"")).limit(changes).count();
            assertThat(read).isEqualTo(changes);
        }
    }

    @Test
    void connections_are_used_again_after_a_watch() throws Exception {
        assertThat(client.watch(SERVICES + "?timeoutSeconds=1&resourceVersion=1").rest()).isEmpty();
        assertThat(client.get(SERVICES).code()).isEqualTo(200);
    }

    @Test
    void what_no_object_can_be_called_is_not_found() throws Exception {
        store.put(Shop.web());
        store.put(Shop.node("worker-1", "a"));
        assertThat(client.get("/api/v1/namespaces/shop/services/web").code()).isEqualTo(200);
        assertThat(client.get("/api/v1/nodes/worker-1").code()).isEqualTo(200);
        for (String path :
                List.of(
                        "/api/v1/services/web",
                        "/api/v1/namespaces/shop/nodes/worker-1",
                        "/apis/v1/services",
                        "/api/discovery.k8s.io/v1/endpointslices",
                        "/api/v1/pods",
                        "/")) {
            assertThat(client.get(path).code()).as(path).isEqualTo(404);
        }
    }

    @Test
    void events_are_taken_and_other_writes_refused() throws Exception {
        assertThat(client.post("/apis/events.k8s.io/v1/namespaces/default/events", "{}").code())
                .isEqualTo(201);
        assertThat(client.post("/api/v1/namespaces/shop/services", "{}").code()).isEqualTo(405);
    }

    @Test
    void protobuf_is_refused_with_the_remedy() throws Exception {
        Answer answer = client.get(SERVICES, "application/vnd.kubernetes.protobuf");
        assertThat(answer.code()).isEqualTo(406);
        assertThat(answer.body().path("message").asString())
                .contains("clientConnection.contentType: application/json");
        assertThat(
                        client.get(SERVICES, "application/vnd.kubernetes.protobuf,application/json")
                                .code())
                .isEqualTo(200);
    }

    @Test
    void a_port_that_is_taken_is_named() {
        assertThatThrownBy(() -> ApiServer.listen(server.address(), store))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1:" + server.address().getPort());
    }
}
