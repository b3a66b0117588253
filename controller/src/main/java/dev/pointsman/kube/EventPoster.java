package dev.pointsman.kube;

import dev.pointsman.notice.Moment;
import dev.pointsman.notice.Notice;
import dev.pointsman.notice.NoticeLedger;
import dev.pointsman.notice.NoticeQueue;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.filter.FilteringParserDelegate;
import tools.jackson.core.filter.JsonPointerBasedFilter;
import tools.jackson.core.filter.TokenFilter.Inclusion;

/// Posts notices as Events until its thread is interrupted. An Event that cannot be posted is lost:
/// the log has said the same.
///
/// Needs no more than the role `system:node-proxier` allows.
public final class EventPoster implements Runnable {
    /// Of the one object in a list.
    private static final JsonPointerBasedFilter UID =
            new JsonPointerBasedFilter("/items/0/metadata/uid");

    private static final Duration LOOK = Duration.ofSeconds(30);

    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final ApiServer server;
    private final String node;
    private final NoticeQueue notices;
    private final Supplier<Moment> clock;
    private final Consumer<String> log;
    private final NoticeLedger ledger;
    private String trouble = "";

    /// @param node name of this machine's Node
    /// @param log called on the thread of this task
    public EventPoster(
            ApiServer server,
            String node,
            NoticeQueue notices,
            Supplier<Moment> clock,
            Consumer<String> log) {
        this.server = server;
        this.node = node;
        this.notices = notices;
        this.clock = clock;
        this.log = log;
        ledger = new NoticeLedger(clock.get());
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Optional<Notice> notice = notices.next(LOOK);
                if (notices.overflowed()) {
                    ledger.lost();
                }
                for (NoticeLedger.Entry entry : ledger.due(clock.get())) {
                    post(entry);
                }
                if (notice.isPresent()) {
                    Optional<NoticeLedger.Entry> entry = ledger.heard(notice.get(), clock.get());
                    if (entry.isPresent()) {
                        post(entry.get());
                    }
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void post(NoticeLedger.Entry entry) throws InterruptedException {
        String problem = "";
        try {
            Optional<EventText.Subject> subject = subject(entry.notice().subject());
            if (subject.isPresent()) {
                write(new EventText(entry, subject.get(), node));
            }
        } catch (IOException | JacksonException | GuardedInput.Unreadable e) {
            problem = Quote.plain(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            problem = "a bug in Pointsman: " + e;
        }
        if (!problem.isEmpty() && !problem.equals(trouble)) {
            log.accept(
                    "an Event could not be posted and is lost, as are others until it works again: "
                            + problem);
        }
        trouble = problem;
    }

    private void write(EventText event) throws IOException, InterruptedException {
        String events = "/apis/events.k8s.io/v1/namespaces/" + event.namespace() + "/events";
        if (event.entry().count() > 1) {
            int code = code(server.patch(events + "/" + event.name(), event.change()));
            if (code != NOT_FOUND) {
                accepted(code);
                return;
            }
            // It has expired, or was never written.
        }
        int code = code(server.post(events, event.whole()));
        // Another node has said it.
        if (code != CONFLICT) {
            accepted(code);
        }
    }

    private static int code(ApiServer.Answer answer) throws IOException {
        try (answer) {
            answer.body().transferTo(OutputStream.nullOutputStream());
            return answer.code();
        }
    }

    private static void accepted(int code) throws IOException {
        if (code < 200 || code > 299) {
            throw new IOException(
                    "the server answers "
                            + code
                            + (code == FORBIDDEN
                                    ? "; bind the cluster role system:node-proxier to this user"
                                    : ""));
        }
    }

    /// The object as it is now; empty if it is gone. `kubectl describe` finds Events by uid, which
    /// nothing else here needs, so that it is not kept of ten thousand Services.
    private Optional<EventText.Subject> subject(Notice.Subject of)
            throws IOException, InterruptedException {
        return switch (of) {
            // That is how the kubelet and kube-proxy refer to it.
            case Notice.Subject.OwnNode _ ->
                    Optional.of(new EventText.Subject("v1", "Node", "", node, node));
            case Notice.Subject.OfService(var service) ->
                    found(Resource.services(), service.namespace(), service.name());
            case Notice.Subject.OfSlice(var namespace, var name) ->
                    found(Resource.endpointSlices(), namespace, name);
        };
    }

    private Optional<EventText.Subject> found(Resource resource, String namespace, String name)
            throws IOException, InterruptedException {
        try (ApiServer.Answer answer = server.get(resource.one(namespace, name));
                GuardedInput input = new GuardedInput(answer.body());
                JsonParser uid =
                        new FilteringParserDelegate(
                                Syntax.json(input), UID, Inclusion.ONLY_INCLUDE_ALL, false)) {
            accepted(answer.code());
            return uid.nextToken() == JsonToken.VALUE_STRING
                    ? Optional.of(
                            new EventText.Subject(
                                    resource.kind().apiVersion(),
                                    resource.kind().title(),
                                    namespace,
                                    name,
                                    uid.getString()))
                    : Optional.empty();
        }
    }
}
