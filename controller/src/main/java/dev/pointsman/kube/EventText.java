package dev.pointsman.kube;

import dev.pointsman.notice.Notice;
import dev.pointsman.notice.NoticeLedger;
import dev.pointsman.notice.Reason;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.zip.CRC32C;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// An Event of `events.k8s.io/v1` as the API server takes it.
///
/// @param about what it is about
/// @param node name of this machine's Node
record EventText(NoticeLedger.Entry entry, Subject about, String node) {
    static final String CONTROLLER = "pointsman";

    // Limits of the API, in bytes; names of nodes and objects can be longer.
    private static final int NOTE_BYTES = 1024;
    private static final int INSTANCE_BYTES = 128;
    private static final int NAME_BYTES = 253;

    private static final JsonFactory JSON = new JsonFactory();
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /// An object as an Event refers to it.
    ///
    /// @param namespace empty for kinds that have none
    record Subject(String apiVersion, String kind, String namespace, String name, String uid) {}

    /// Where it is kept: an Event about an object without namespace has to be somewhere.
    String namespace() {
        return about.namespace().isEmpty() ? "default" : about.namespace();
    }

    /// The same for every node where all come to the same finding, so that the first Event is the
    /// only one.
    String name() {
        Notice notice = entry.notice();
        String suffix =
                switch (notice.reason().seen()) {
                    case BY_EVERY_NODE ->
                            "%08x".formatted(hash(about.uid() + notice.reason() + notice.note()));
                    case BY_THIS_NODE ->
                            "%08x%x"
                                    .formatted(
                                            hash(node + notice.reason()),
                                            entry.first().toEpochMilli());
                };
        String base = about.name();
        int room = NAME_BYTES - suffix.length() - 1;
        return base.substring(0, Math.min(base.length(), room)) + "." + suffix;
    }

    private static long hash(String text) {
        CRC32C sum = new CRC32C();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return sum.getValue();
    }

    /// The whole Event.
    String whole() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            Reason reason = entry.notice().reason();
            json.writeStartObject();
            json.writeStringProperty("apiVersion", "events.k8s.io/v1");
            json.writeStringProperty("kind", "Event");
            json.writeObjectPropertyStart("metadata");
            json.writeStringProperty("name", name());
            json.writeStringProperty("namespace", namespace());
            json.writeEndObject();
            json.writeObjectPropertyStart("regarding");
            json.writeStringProperty("apiVersion", about.apiVersion());
            json.writeStringProperty("kind", about.kind());
            json.writeStringProperty("namespace", about.namespace());
            json.writeStringProperty("name", about.name());
            json.writeStringProperty("uid", about.uid());
            json.writeEndObject();
            json.writeStringProperty("eventTime", MICROS.format(entry.first()));
            json.writeStringProperty("reportingController", CONTROLLER);
            json.writeStringProperty("reportingInstance", cut(node, INSTANCE_BYTES));
            json.writeStringProperty("action", reason.action());
            json.writeStringProperty("reason", reason.title());
            json.writeStringProperty("type", reason.type().title());
            json.writeStringProperty("note", cut(entry.notice().note(), NOTE_BYTES));
            series(json);
            json.writeEndObject();
        }
        return text.toString();
    }

    /// What a repetition changes in it.
    String change() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            series(json);
            json.writeEndObject();
        }
        return text.toString();
    }

    private void series(JsonGenerator json) {
        if (entry.count() > 1) {
            json.writeObjectPropertyStart("series");
            json.writeNumberProperty("count", entry.count());
            json.writeStringProperty("lastObservedTime", MICROS.format(entry.last()));
            json.writeEndObject();
        }
    }

    private static String cut(String text, int bytes) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        if (all.length <= bytes) {
            return text;
        }
        int end = bytes - 3;
        while ((all[end] & 0xc0) == 0x80) {
            end--; // Within a character.
        }
        return new String(all, 0, end, StandardCharsets.UTF_8) + "…";
    }
}
