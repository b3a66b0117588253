package dev.pointsman.kube;

import static dev.pointsman.kube.KubeJson.change;
import static dev.pointsman.kube.KubeJson.list;
import static dev.pointsman.kube.KubeJson.service;
import static dev.pointsman.kube.KubeJson.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.kube.ScriptedApiServer.Then;
import dev.pointsman.store.Finding;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KubeFeedTest {
    private static final String OURS =
            "labelSelector=!service.kubernetes.io/service-proxy-name,!service.kubernetes.io/headless";

    private final ScriptedApiServer server;
    private final ApiServer connection;
    private final Told told = new Told();
    private final Queue<ServerNote> notes = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<Duration> waits = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    KubeFeedTest() throws IOException {
        server = new ScriptedApiServer();
        connection = ApiServer.at(server.address());
        connection.tell(notes::add, () -> 0);
    }

    private void start() {
        new KubeFeed(connection, "worker-1", told, new SplittableRandom(1), waits::add)
                .start(threads);
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        connection.close();
        server.close();
    }

    @Test
    void only_objects_of_this_proxy_and_this_node_are_asked_for() throws InterruptedException {
        server.list("nodes", 200, list("5", "", "{\"metadata\":{\"name\":\"worker-1\"}}"));
        start();
        told.untilAll("synced", "+ node worker-1");

        assertThat(server.requests("services").getFirst())
                .isEqualTo(
                        "/api/v1/services?limit=500&"
                                + OURS
                                + "&fieldSelector=spec.clusterIP!=None");
        assertThat(server.requests("endpointslices").getFirst())
                .isEqualTo("/apis/discovery.k8s.io/v1/endpointslices?limit=500&" + OURS);
        assertThat(server.requests("nodes").getFirst())
                .isEqualTo("/api/v1/nodes?limit=500&fieldSelector=metadata.name=worker-1");
    }

    @Test
    void long_lists_come_in_pages_and_the_watch_begins_where_they_end()
            throws InterruptedException {
        server.list("services", 200, list("7", "page/2+", service("a")))
                .list("services", 200, list("7", "", service("b")))
                .watch("services", change("ADDED", service("c")), Then.SILENCE);
        start();

        told.until("+ shop/a");
        told.until("+ shop/b");
        told.until("+ shop/c");
        assertThat(server.requests("services").get(1)).contains("&continue=page/2+");
        assertThat(server.requests("services").get(2))
                .contains("watch=true", "allowWatchBookmarks=true", "resourceVersion=7", OURS);
    }

    @Test
    void pages_that_expire_half_way_are_replaced_by_a_whole_list() throws InterruptedException {
        server.list("services", 200, list("7", "two", service("a")))
                .list("services", 410, status(410, "The provided continue parameter is too old"))
                .list("services", 200, list("9", "", service("a"), service("b")));
        start();

        told.until("+ shop/b");
        assertThat(server.requests("services").get(2)).contains("limit=0").doesNotContain("two");
        assertThat(told.findings()).isEmpty();
    }

    @Test
    void an_object_deleted_while_the_watch_was_expired_is_told_as_gone()
            throws InterruptedException {
        server.list("services", 200, list("7", "", service("a"), service("b")))
                .watch(
                        "services",
                        "{\"type\":\"ERROR\",\"object\":" + status(410, "too old") + "}\n",
                        Then.END)
                .list("services", 200, list("9", "", service("b")));
        start();

        told.until("- shop/a");
        assertThat(told.findings()).isEmpty();
    }

    @Test
    void a_watch_that_breaks_in_the_middle_of_an_event_is_followed_by_a_fresh_list()
            throws InterruptedException {
        server.list("services", 200, list("7", "", service("a")))
                .watch("services", "{\"type\":\"MODIFIED\",\"object\":{\"metada", Then.END)
                .list("services", 200, list("9", ""));
        start();

        told.until("- shop/a");
        assertThat(told.nextFinding().toString())
                .contains("cannot list or watch /api/v1/services", "rules stay as they are");
    }

    @Test
    void a_watch_that_ends_in_order_goes_on_from_the_last_bookmark() throws InterruptedException {
        server.list("services", 200, list("7", "", service("a")))
                .watch(
                        "services",
                        "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"8\"}}}\n",
                        Then.END)
                .watch("services", change("DELETED", service("a")), Then.SILENCE);
        start();

        told.until("- shop/a");
        assertThat(server.requests("services").get(2)).contains("watch=true", "resourceVersion=8");
    }

    @Test
    void nothing_is_synced_before_services_and_slices_are_both_listed()
            throws InterruptedException {
        CountDownLatch slices = server.hold("endpointslices");
        server.list("services", 200, list("7", "", service("a")))
                .watch("services", change("ADDED", service("b")), Then.SILENCE)
                .list("endpointslices", 200, list("7", "", slice("a-1")));
        start();

        assertThat(told.next()).isEqualTo("+ shop/a");
        assertThat(told.next()).isEqualTo("+ shop/b");
        assertThat(told.untold()).isEmpty();
        slices.countDown();
        assertThat(told.next()).isEqualTo("+ slice a-1 1");
        assertThat(told.next()).isEqualTo("synced");
    }

    /// Otherwise the loop would say that there is no such Node.
    @Test
    void nothing_is_synced_before_the_node_was_asked_for() throws InterruptedException {
        CountDownLatch node = server.hold("nodes");
        server.list("services", 200, list("7", "", service("a")))
                .watch("services", change("ADDED", service("b")), Then.SILENCE)
                .list("endpointslices", 200, list("7", "", slice("a-1")))
                .watch("endpointslices", change("ADDED", slice("a-2")), Then.SILENCE);
        start();

        told.untilAll("+ shop/b", "+ slice a-2 1");
        assertThat(told.untold()).isEmpty();
        node.countDown();
        assertThat(told.next()).isEqualTo("synced");
    }

    @Test
    void a_server_that_does_not_know_the_field_selector_is_asked_without_it()
            throws InterruptedException {
        server.list("services", 400, status(400, "field label not supported: spec.clusterIP"))
                .list(
                        "services",
                        200,
                        list("7", "", service("a"), service("h").replace("10.96.10.1", "None")));
        start();

        told.until("+ shop/a");
        told.until("synced");
        assertThat(server.requests("services").get(1)).doesNotContain("fieldSelector");
        assertThat(told.nextFinding().toString())
                .contains("does not know the field selector spec.clusterIP!=None");
    }

    @Test
    void a_server_without_service_cidrs_is_fine() throws InterruptedException {
        server.list("servicecidrs", 404, "404 page not found");
        start();

        told.until("synced");
        assertThat(waits.take()).isGreaterThanOrEqualTo(Duration.ofMinutes(5));
        assertThat(told.findings()).isEmpty();
    }

    @Test
    void attempts_become_rarer_while_the_server_refuses() throws InterruptedException {
        for (int i = 0; i < 8; i++) {
            server.list("services", 503, "<html>");
        }
        start();

        told.until("synced");
        assertThat(told.findings())
                .extracting(Finding::severity)
                .containsExactly(Finding.Severity.WARNING, Finding.Severity.NOTE);
        List<Duration> eight = waits.stream().limit(8).toList();
        assertThat(eight.getFirst()).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
        assertThat(eight.getLast()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30));
    }

    @Test
    void every_word_of_the_server_is_noted_and_a_refusal_is_none() throws InterruptedException {
        server.list("services", 503, "<html>")
                .list("services", 200, list("7", ""))
                .watch(
                        "services",
                        "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"8\"}}}\n",
                        Then.END)
                .watch("services", change("ADDED", service("a")), Then.SILENCE);
        start();

        told.until("+ shop/a");
        String host = server.address().replace("http://", "");
        assertThat(notes)
                .contains(
                        new ServerNote.Following("Service"),
                        new ServerNote.Answered("GET", host, "503", Duration.ZERO),
                        new ServerNote.WatchBegan(host, "200"))
                .filteredOn(new ServerNote.Heard("Service")::equals)
                .as("the list, the bookmark and the event")
                .hasSize(3);
    }

    @Test
    void a_server_that_does_not_answer_is_noted_as_such() {
        AtomicLong clock = new AtomicLong();
        try (ApiServer nobody = ApiServer.at("http://127.0.0.1:1")) {
            nobody.tell(notes::add, clock::getAndIncrement);
            assertThatThrownBy(() -> nobody.get("/")).isInstanceOf(IOException.class);
        }
        assertThat(notes)
                .containsExactly(
                        new ServerNote.Answered(
                                "GET", "127.0.0.1:1", ServerNote.NO_ANSWER, Duration.ofNanos(1)));
    }

    @Test
    void an_object_that_is_hidden_or_broken_later_is_told_as_gone() throws InterruptedException {
        server.list("services", 200, list("7", "", service("a"), service("b")))
                .watch(
                        "services",
                        change("MODIFIED", service("a").replace("80", "80000"))
                                + change(
                                        "MODIFIED",
                                        service("b")
                                                .replace(
                                                        "\"name\":\"b\"",
                                                        "\"name\":\"b\",\"labels\":{\"service.kubernetes.io/headless\":\"\"}")),
                        Then.SILENCE);
        start();

        told.until("- shop/a");
        told.until("- shop/b");
        assertThat(told.nextFinding().toString())
                .startsWith("error: " + server.address())
                .contains("Service shop/a: spec.ports[0].port: 80000 is not within 1..65535");
    }

    private static String slice(String name) {
        return """
               {"metadata":{"name":"%s","namespace":"shop","labels":{"kubernetes.io/service-name":"a"}},\
               "addressType":"IPv4","ports":[{"name":"","port":80}],"endpoints":[{"addresses":["10.244.1.1"]}]}"""
                .formatted(name);
    }
}
