package dev.pointsman.kube;

import dev.pointsman.store.Finding;
import dev.pointsman.store.Finding.Severity;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JsonToken;

/// Takes the objects out of a stream of documents: single objects, lists of any kind of object, or
/// bare arrays of them. Holds one object at a time.
final class DocumentReader {
    /// Items without a kind of their own have to wait for a list that names it at its end.
    private static final int MOST_HELD = 200_000;

    private final TreeReader tokens;
    private final Syntax syntax;
    private final String source;
    private final Consumer<KubeObject> objects;
    private final Consumer<Finding> findings;

    // Items of a list that has not said yet what it is. kubectl's lists say so after their items.
    private final Deque<KubeObject> held = new ArrayDeque<>();

    DocumentReader(
            TreeReader tokens,
            Syntax syntax,
            String source,
            Consumer<KubeObject> objects,
            Consumer<Finding> findings) {
        this.tokens = tokens;
        this.syntax = syntax;
        this.source = source;
        this.objects = objects;
        this.findings = findings;
    }

    /// Reads to the end.
    void read() {
        JsonToken first = tokens.next();
        if (first == JsonToken.NOT_AVAILABLE) {
            report(Severity.WARNING, "", "is empty", "nothing comes from it");
        }
        while (first != JsonToken.NOT_AVAILABLE) {
            document(first);
            first = tokens.next();
        }
    }

    /// Gives out what is known to be complete when the text turned out to be broken.
    void giveUp() {
        releaseTyped();
        held.clear();
    }

    private void document(JsonToken first) {
        switch (first) {
            case START_OBJECT -> objectOrList();
            case START_ARRAY -> {
                items(Map.of());
                endList(Map.of());
            }
            case VALUE_NULL -> {} // Between two `---` lines there may be nothing.
            case VALUE_STRING,
                    VALUE_NUMBER_INT,
                    VALUE_NUMBER_FLOAT,
                    VALUE_TRUE,
                    VALUE_FALSE,
                    VALUE_EMBEDDED_OBJECT,
                    END_ARRAY,
                    END_OBJECT,
                    PROPERTY_NAME,
                    NOT_AVAILABLE ->
                    report(
                            Severity.ERROR,
                            "",
                            "holds "
                                    + TreeReader.called(first)
                                    + " where a Kubernetes object is expected",
                            "print objects with kubectl get … -o yaml or -o json");
        }
    }

    private void objectOrList() {
        Origin origin = tokens.origin(source);
        tokens.begin();
        Map<String, Tree> fields = new HashMap<>();
        boolean list = false;
        while (tokens.next() == JsonToken.PROPERTY_NAME) {
            // Another field after the items: the last of them cannot have been cut off.
            releaseTyped();
            if (!tokens.name().equals("items")) {
                tokens.field(fields);
                continue;
            }
            list = true;
            JsonToken first = tokens.next();
            if (first == JsonToken.START_ARRAY) {
                items(fields);
            } else {
                tokens.skip(first);
            }
        }
        if (list) {
            endList(fields);
        } else {
            objects.accept(new KubeObject(new Tree.Fields(fields), origin, tokens.defects()));
        }
    }

    private void items(Map<String, Tree> list) {
        for (JsonToken first = tokens.next(); first != JsonToken.END_ARRAY; first = tokens.next()) {
            releaseTyped();
            if (first != JsonToken.START_OBJECT) {
                report(
                        Severity.ERROR,
                        tokens.pointer(),
                        "is " + TreeReader.called(first) + " where a Kubernetes object is expected",
                        "the item is left out");
                tokens.skip(first);
                continue;
            }
            KubeObject item = tokens.object(source);
            if (!itemKind(list).isEmpty() || text(list, "kind").equals("List")) {
                objects.accept(item.orElse(text(list, "apiVersion"), itemKind(list)));
            } else if (held.size() < MOST_HELD) {
                held.add(item);
            } else {
                report(
                        Severity.ERROR,
                        tokens.pointer(),
                        "is one of more than "
                                + MOST_HELD
                                + " items without a kind in a list that has not named it",
                        "the item is left out; put the list's kind before its items");
            }
        }
    }

    /// The next item has begun, so those that are held and have a kind of their own are complete.
    private void releaseTyped() {
        while (!held.isEmpty() && !held.getFirst().kind().isEmpty()) {
            objects.accept(held.removeFirst());
        }
    }

    private void endList(Map<String, Tree> list) {
        if (text(list, "kind").isEmpty() && syntax == Syntax.YAML && !held.isEmpty()) {
            // In YAML every indented line could be the last one, and this one was.
            report(
                    Severity.ERROR,
                    held.getLast().origin(),
                    "breaks off in its list: the line `kind: List` at its end is missing",
                    held.getLast().title()
                            + " may be incomplete and is not used; all objects before it are");
            held.removeLast();
        }
        while (!held.isEmpty()) {
            objects.accept(held.removeFirst().orElse(text(list, "apiVersion"), itemKind(list)));
        }
    }

    private static String itemKind(Map<String, Tree> list) {
        String kind = text(list, "kind");
        return kind.endsWith("List") ? kind.substring(0, kind.length() - 4) : "";
    }

    private static String text(Map<String, Tree> fields, String name) {
        return fields.getOrDefault(name, Tree.ABSENT) instanceof Tree.Text(String value)
                ? value
                : "";
    }

    private void report(Severity severity, String field, String reason, String consequence) {
        findings.accept(
                new Finding(
                        severity,
                        "snapshot",
                        tokens.origin(source).toString(),
                        field,
                        reason,
                        consequence));
    }

    private void report(Severity severity, Origin origin, String reason, String consequence) {
        findings.accept(
                new Finding(severity, "snapshot", origin.toString(), "", reason, consequence));
    }
}
