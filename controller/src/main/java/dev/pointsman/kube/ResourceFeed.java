package dev.pointsman.kube;

import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.ClusterListener;
import dev.pointsman.store.Finding;
import dev.pointsman.store.Finding.Severity;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Lists and watches the objects of one [Resource] until its thread is interrupted.
final class ResourceFeed implements Runnable {
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;

    /// Whether the server is asked for pages or, after its pages expired half-way, for everything
    /// at once.
    private enum Listing {
        PAGED,
        WHOLE
    }

    private final ApiServer server;
    private final ClusterListener listener;
    private final Runnable listed;
    private final Backoff backoff;
    private final ObjectDecoder decoder = new ObjectDecoder();

    // Names of all objects that the listener believes to be there.
    private final Set<ObjectName> told = new HashSet<>();
    private Resource resource;
    private Listing listing = Listing.PAGED;
    private String version = "";
    private String trouble = "";
    private boolean everListed;

    ResourceFeed(
            ApiServer server,
            Resource resource,
            ClusterListener listener,
            Runnable listed,
            Backoff backoff) {
        this.server = server;
        this.resource = resource;
        this.listener = listener;
        this.listed = listed;
        this.backoff = backoff;
    }

    @Override
    public void run() {
        server.note(new ServerNote.Following(resource.kind().title()));
        while (!Thread.currentThread().isInterrupted()) {
            try {
                list();
                watch();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } catch (Refusal e) {
                refused(e);
            } catch (JacksonException e) {
                retry(
                        "the answer is cut off or no JSON: " + Quote.plain(Reason.of(e)),
                        Duration.ZERO);
            } catch (IOException | GuardedInput.Unreadable | Arriving.Silence e) {
                retry(Quote.plain(String.valueOf(e.getMessage())), Duration.ZERO);
            } catch (RuntimeException e) {
                // Whatever it was, an event may be lost. A fresh list brings it back.
                retry("an event could not be taken in: " + e, Duration.ZERO);
            }
        }
    }

    private void refused(Refusal refusal) {
        if (refusal.code() == GONE) {
            // Only the place in the history is lost; a list begins a new one.
            backOff(Duration.ZERO);
        } else if (refusal.code() == BAD_REQUEST && !resource.fields().isEmpty()) {
            report(
                    Severity.WARNING,
                    "does not know the field selector " + resource.fields(),
                    "headless Services are received and ignored");
            resource = resource.withoutFields();
        } else {
            retry(String.valueOf(refusal.getMessage()), refusal.retryAfter());
        }
    }

    private void retry(String reason, Duration atLeast) {
        if (Thread.currentThread().isInterrupted()) {
            return;
        }
        if (!reason.equals(trouble)) {
            trouble = reason;
            report(
                    Severity.WARNING,
                    "cannot list or watch " + resource.path() + ": " + reason,
                    "rules stay as they are; it is tried again until it works");
        }
        backOff(atLeast);
    }

    private void backOff(Duration atLeast) {
        try {
            backoff.await(atLeast);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void list() throws IOException, InterruptedException, Refusal {
        Set<ObjectName> missing = new HashSet<>(told);
        String next = "";
        do {
            String path =
                    switch (listing) {
                        case PAGED -> resource.page(next);
                        case WHOLE -> resource.whole();
                    };
            next = page(path, missing);
        } while (!next.isEmpty());
        listing = Listing.PAGED;
        for (ObjectName name : missing) {
            gone(name);
        }
        heard();
        if (!trouble.isEmpty()) {
            trouble = "";
            report(
                    Severity.NOTE,
                    resource.path() + " is listed again",
                    "what changed meanwhile is taken in");
        }
        if (!everListed) {
            everListed = true;
            listed.run();
        }
    }

    /// Takes in one page and returns where the next one begins; empty after the last.
    private String page(String path, Set<ObjectName> missing)
            throws IOException, InterruptedException, Refusal {
        try (ApiServer.Answer answer = server.get(path);
                GuardedInput input = new GuardedInput(answer.body());
                JsonParser parser = Syntax.json(input)) {
            TreeReader tokens = new TreeReader(parser, input);
            if (answer.code() == NOT_FOUND && resource.kind() == Kind.SERVICE_CIDR) {
                // An older server, or the API is switched off: as good as none.
                version = "";
                return "";
            }
            if (answer.code() == GONE) {
                listing = Listing.WHOLE;
            }
            Refusal.unlessAccepted(answer, tokens);
            Map<String, Tree> list = new HashMap<>();
            if (tokens.next() == JsonToken.START_OBJECT) {
                while (tokens.next() == JsonToken.PROPERTY_NAME) {
                    if (tokens.name().equals("items")) {
                        items(tokens, missing);
                    } else {
                        tokens.field(list);
                    }
                }
            }
            Field metadata = Field.root(new Tree.Fields(list)).get("metadata");
            String now = metadata.get("resourceVersion").text();
            if (now.isEmpty()) {
                // Whatever this is, to take it for an empty list would remove everything.
                throw new IOException("the server answers with something that is no list");
            }
            version = now;
            return metadata.get("continue").text();
        }
    }

    private void items(TreeReader tokens, Set<ObjectName> missing) {
        JsonToken first = tokens.next();
        if (first != JsonToken.START_ARRAY) {
            tokens.skip(first);
            return;
        }
        for (first = tokens.next(); first != JsonToken.END_ARRAY; first = tokens.next()) {
            if (first == JsonToken.START_OBJECT) {
                missing.remove(seen(tokens.object(server.address())));
            } else {
                tokens.skip(first);
            }
        }
    }

    private void watch() throws IOException, InterruptedException, Refusal {
        while (!version.isEmpty()) {
            if (!watchOnce()) {
                // A server that ends watches as soon as they begin must not be asked all the time.
                backoff.await(Duration.ZERO);
            }
        }
        backoff.rest();
    }

    /// Takes in changes until the server ends the watch, and returns whether it was of any use.
    private boolean watchOnce() throws IOException, InterruptedException, Refusal {
        int seconds = backoff.watchSeconds();
        boolean useful = false;
        try (ApiServer.Answer answer =
                        server.watch(
                                resource.watch(version, seconds), Duration.ofSeconds(seconds));
                GuardedInput input = new GuardedInput(answer.body());
                JsonParser parser = Syntax.json(input)) {
            TreeReader tokens = new TreeReader(parser, input);
            Refusal.unlessAccepted(answer, tokens);
            while (tokens.next() == JsonToken.START_OBJECT) {
                change(tokens.object(server.address()));
                useful = true;
                backoff.reset();
            }
            return useful;
        } catch (Arriving.Silence _) {
            // The connection died, or the server sends no bookmarks. Nothing is lost either way:
            // the next watch begins where this one stands.
            return true;
        }
    }

    private void heard() {
        server.note(new ServerNote.Heard(resource.kind().title()));
    }

    private void change(KubeObject message) throws Refusal {
        Field root = Field.root(message.fields());
        Tree.Fields given =
                root.get("object").value() instanceof Tree.Fields fields ? fields : Tree.EMPTY;
        KubeObject object = new KubeObject(given, message.origin(), message.defects());
        Field content = Field.root(given);
        String type = root.get("type").text();
        if (type.equals("ERROR")) {
            throw new Refusal(
                    content.get("code").number(0, 999, 0),
                    Duration.ZERO,
                    Quote.plain(content.get("message").text()));
        }
        heard();
        switch (type) {
            case "ADDED", "MODIFIED" -> seen(object);
            case "DELETED" -> gone(name(object));
            case "BOOKMARK" -> {}
            default ->
                    throw new Refusal(0, Duration.ZERO, "a watch event of type " + Quote.of(type));
        }
        String now = content.get("metadata").get("resourceVersion").text();
        if (!now.isEmpty()) {
            version = now;
        }
    }

    private ObjectName seen(KubeObject bare) {
        KubeObject object = bare.orElse("", resource.kind().title());
        ObjectName name = name(object);
        switch (decoder.decode(resource.kind(), object, listener::finding)) {
            case Decoded.Seen(var event) -> {
                told.add(name);
                listener.event(event);
            }
            case Decoded.Gone _ -> gone(name);
            case Decoded.OfPod _, Decoded.Nothing _ -> {}
        }
        return name;
    }

    private void gone(ObjectName name) {
        if (told.remove(name)) {
            if (resource.kind().gone(name.namespace(), name.name())
                    instanceof Decoded.Gone(ClusterEvent event)) {
                listener.event(event);
            }
        }
    }

    /// The name as it stands; the decoder is the judge of names.
    private ObjectName name(KubeObject object) {
        Field metadata = Field.root(object.fields()).get("metadata");
        return new ObjectName(metadata.get("namespace").text(), metadata.get("name").text());
    }

    private void report(Severity severity, String reason, String consequence) {
        listener.finding(
                new Finding(severity, "API server", server.address(), "", reason, consequence));
    }
}
