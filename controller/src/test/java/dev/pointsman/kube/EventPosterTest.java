package dev.pointsman.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.ServiceName;
import dev.pointsman.notice.Moment;
import dev.pointsman.notice.Notice;
import dev.pointsman.notice.NoticeLedger;
import dev.pointsman.notice.NoticeQueue;
import dev.pointsman.notice.Reason;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Posting to an API server that answers as it is told. A last answer of 500 tells the end.
final class EventPosterTest {
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final Notice ON_NODE = Notice.ofNode(Reason.STARTING, "watching");
    private static final Notice REFUSED =
            Notice.ofService(new ServiceName("shop", "web"), Reason.RULES_REFUSED, "no");
    private static final Notice LAST = Notice.ofNode(Reason.BUG, "last");

    private final ScriptedApiServer server = new ScriptedApiServer();
    private final NoticeQueue queue = new NoticeQueue();
    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
    private final ApiServer connection = ApiServer.at(server.address());
    private final Thread poster =
            Thread.startVirtualThread(
                    new EventPoster(
                            connection, "worker-1", queue, () -> new Moment(NOW, 0), log::add));

    EventPosterTest() throws Exception {}

    @AfterEach
    void close() {
        poster.interrupt();
        connection.close();
        server.close();
    }

    private String nextLine() throws InterruptedException {
        return String.valueOf(log.poll(30, TimeUnit.SECONDS));
    }

    private void isThere() {
        server.list("services", 200, "{\"items\":[{\"metadata\":{\"uid\":\"u-1\"}}]}");
    }

    @Test
    void a_refusal_is_said_once_and_the_next_notice_is_posted_all_the_same() throws Exception {
        server.list("events", 403, "{}").list("events", 403, "{}").list("events", 500, "{}");
        queue.add(ON_NODE);
        queue.add(Notice.ofNode(Reason.MODE_DEFAULTED, "mode"));
        queue.add(LAST);
        assertThat(nextLine()).contains("403; bind the cluster role system:node-proxier");
        assertThat(nextLine()).contains("500");
        assertThat(server.requests("events"))
                .hasSize(3)
                .containsOnly("/apis/events.k8s.io/v1/namespaces/default/events?null");
    }

    @Test
    void a_service_is_looked_up_for_its_uid_and_one_that_is_gone_has_no_event() throws Exception {
        server.list("events", 500, "{}");
        queue.add(REFUSED);
        queue.add(LAST);
        assertThat(nextLine()).contains("500");
        assertThat(server.requests("services"))
                .containsExactly(
                        "/api/v1/namespaces/shop/services?limit=1&fieldSelector=metadata.name=web");
        assertThat(server.requests("events")).hasSize(1);
    }

    @Test
    void an_event_that_expired_is_written_anew_when_it_is_noticed_again() throws Exception {
        isThere();
        isThere();
        String event =
                new EventText(
                                new NoticeLedger.Entry(REFUSED, NOW, 2, NOW),
                                new EventText.Subject("v1", "Service", "shop", "web", "u-1"),
                                "worker-1")
                        .name();
        server.list(event, 404, "{}")
                .list("events", 201, "{}")
                .list("events", 201, "{}")
                .list("events", 500, "{}");
        queue.add(REFUSED);
        queue.add(REFUSED);
        queue.add(LAST);
        assertThat(nextLine()).contains("500");
        assertThat(server.requests(event)).hasSize(1);
        assertThat(server.requests("events")).hasSize(3);
    }

    @Test
    void what_another_node_has_said_already_is_no_failure() throws Exception {
        isThere();
        server.list("events", 409, "{}").list("events", 500, "{}");
        queue.add(Notice.ofService(new ServiceName("shop", "web"), Reason.CONFLICT, "taken"));
        queue.add(LAST);
        assertThat(List.of(nextLine())).singleElement().asString().contains("500");
    }
}
