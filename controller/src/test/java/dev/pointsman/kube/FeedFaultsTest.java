package dev.pointsman.kube;

import static dev.pointsman.kube.KubeJson.change;
import static dev.pointsman.kube.KubeJson.list;
import static dev.pointsman.kube.KubeJson.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.kube.ApiServer.Patience;
import dev.pointsman.kube.ScriptedApiServer.Answer;
import dev.pointsman.kube.ScriptedApiServer.Then;
import dev.pointsman.store.Finding.Severity;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What goes wrong between the feed and an API server: nothing is taken back because of it, it is
/// said, and what is true afterwards is told.
class FeedFaultsTest {
    /// Long enough for an honest answer on a machine that is busy.
    private static final Duration SOON = Duration.ofSeconds(2);

    private static final Duration NEVER = Duration.ofMinutes(5);

    /// Ends a watch, so that everything is listed again.
    private static final String EXPIRED =
            change("ERROR", KubeJson.status(410, "too old resource version"));

    private final ScriptedApiServer server;
    private final Relay relay;
    private final Told told = new Told();
    private final BlockingQueue<Duration> waits = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    FeedFaultsTest() throws IOException {
        server = new ScriptedApiServer();
        relay = new Relay(server.port());
    }

    private ApiServer start(Patience patience) {
        ApiServer connection = ApiServer.at("http://127.0.0.1:" + relay.port(), patience);
        new KubeFeed(connection, "worker-1", told, new SplittableRandom(1), waits::add)
                .start(threads);
        return connection;
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        relay.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "<!doctype html><title>Sign in</title>",
                "{\"kind\":\"Status\",\"metadata\":{},\"status\":\"Success\"}",
                "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[{\"metadata\":{\"name\":\"b\""
            })
    void what_is_no_list_takes_nothing_back(String garbage) throws InterruptedException {
        server.list("services", 200, list("7", "", service("a"), service("b")))
                .watch("services", EXPIRED, Then.END)
                .list("services", 200, garbage)
                .list("services", 200, list("9", "", service("a")));
        try (ApiServer _ = start(Patience.DEFAULT)) {
            told.untilAll("synced", "- shop/b");
            assertThat(told.gone()).containsExactly("- shop/b");
            assertThat(told.nextFinding().toString())
                    .contains("cannot list or watch /api/v1/services", "rules stay as they are");
            assertThat(told.nextFinding().severity()).isEqualTo(Severity.NOTE);
        }
    }

    @Test
    void a_list_that_breaks_off_takes_nothing_back() throws InterruptedException {
        server.list("services", 200, list("7", "", service("a"), service("b")))
                .watch("services", EXPIRED, Then.END)
                .list("services", new Answer(200, "{\"items\":[" + service("c"), Then.BREAK))
                .list("services", 200, list("9", "", service("a")));
        try (ApiServer _ = start(Patience.DEFAULT)) {
            told.untilAll("synced", "- shop/b", "- shop/c");
            assertThat(told.gone()).containsExactlyInAnyOrder("- shop/b", "- shop/c");
            assertThat(told.nextFinding().reason()).contains("cannot list or watch");
        }
    }

    @Test
    void a_list_that_stops_in_the_middle_is_given_up() throws InterruptedException {
        server.list("services", new Answer(200, "{\"items\":[" + service("a"), Then.SILENCE))
                .list("services", 200, list("9", "", service("b")));
        try (ApiServer _ = start(new Patience(SOON, NEVER, NEVER))) {
            told.untilAll("synced", "- shop/a");
            assertThat(told.nextFinding().reason()).contains("nothing came for");
        }
    }

    @Test
    void a_list_that_dribbles_is_given_up() throws InterruptedException {
        server.list("services", new Answer(200, "{\"items\":[" + service("a"), Then.DRIBBLE))
                .list("services", 200, list("9", "", service("b")));
        try (ApiServer _ = start(new Patience(NEVER, SOON, NEVER))) {
            told.untilAll("synced", "- shop/a");
            assertThat(told.nextFinding().reason()).contains("it was not complete after");
        }
    }

    @Test
    void a_watch_that_falls_silent_is_replaced_and_goes_on_where_it_stood()
            throws InterruptedException {
        server.list("services", 200, list("7", "", service("a")))
                .watch("services", change("ADDED", service("b")), Then.SILENCE)
                .watch("services", change("DELETED", service("a")), Then.SILENCE);
        try (ApiServer _ = start(new Patience(NEVER, NEVER, SOON))) {
            told.until("- shop/a");
            assertThat(server.requests("services").get(2))
                    .contains("watch=true", "resourceVersion=8");
            assertThat(told.findings()).isEmpty();
        }
    }

    @Test
    void a_server_that_swallows_everything_is_said_so_and_caught_up_with()
            throws InterruptedException {
        server.list("services", 200, list("7", "", service("a"), service("b")))
                .watch("services", "", Then.SILENCE)
                .list("services", 200, list("9", "", service("b"), service("c")));
        try (ApiServer _ = start(new Patience(SOON, SOON, SOON))) {
            told.until("synced");
            relay.deafen();
            // Who asks for the first time when it is mended goes on where it stood.
            String trouble = told.nextFinding().reason();
            while (!trouble.contains("cannot list or watch /api/v1/services")) {
                trouble = told.nextFinding().reason();
            }
            assertThat(told.gone()).isEmpty();
            relay.mend();
            told.untilAll("+ shop/c", "- shop/a");
            assertThat(told.gone()).containsExactly("- shop/a");
        }
    }

    @Test
    void a_server_that_asks_for_patience_gets_it() throws InterruptedException {
        server.retryAfter(20);
        server.list("services", 429, KubeJson.status(429, "too many requests"));
        try (ApiServer _ = start(Patience.DEFAULT)) {
            told.until("synced");
            assertThat(waits.take()).isEqualTo(Duration.ofSeconds(20));
        }
    }

    @Test
    void patience_has_an_end() throws InterruptedException {
        server.retryAfter(86_400);
        server.list("services", 503, "");
        try (ApiServer _ = start(Patience.DEFAULT)) {
            told.until("synced");
            assertThat(waits.take()).isEqualTo(Duration.ofSeconds(30));
        }
    }
}
