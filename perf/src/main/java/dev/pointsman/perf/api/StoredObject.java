package dev.pointsman.perf.api;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// An object as it was written, encoded once for all who will ever read it.
///
/// @param key where lists have it
/// @param version the resourceVersion of that write
/// @param text what follows the resourceVersion, so that the same text also tells, with another
///   version, that the object was deleted; never changed
/// @param fields the values that field selectors can name
record StoredObject(
        Kind kind,
        String key,
        long version,
        ByteBuf text,
        Map<String, String> labels,
        Map<String, String> fields) {
    private static final String METADATA = "metadata";
    private static final int MOST_BEFORE_TEXT = 160;

    StoredObject {
        labels = Map.copyOf(labels);
        fields = Map.copyOf(fields);
    }

    /// The object that `object` describes, not written yet.
    static StoredObject of(ObjectNode object) {
        ObjectName name = ObjectName.of(object);
        Map<String, String> labels = new LinkedHashMap<>();
        object.path(METADATA)
                .path("labels")
                .forEachEntry((label, value) -> labels.put(label, value.asString()));
        return new StoredObject(
                name.kind(),
                name.key(),
                0,
                Unpooled.copiedBuffer(text(object), StandardCharsets.UTF_8),
                labels,
                fields(name.kind(), object));
    }

    private static String text(ObjectNode object) {
        ObjectNode body = object.deepCopy();
        body.remove("apiVersion");
        body.remove("kind");
        ObjectNode metadata = (ObjectNode) body.remove(METADATA);
        metadata.remove("resourceVersion");
        return "," + members(metadata) + "}" + (body.isEmpty() ? "" : "," + members(body)) + "}";
    }

    private static String members(ObjectNode node) {
        String braced = node.toString();
        return braced.substring(1, braced.length() - 1);
    }

    private static Map<String, String> fields(Kind kind, ObjectNode object) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : kind.fields()) {
            fields.put(field, object.at("/" + field.replace('.', '/')).asString(""));
        }
        return fields;
    }

    /// The same, written as `version`.
    StoredObject at(long version) {
        return new StoredObject(kind, key, version, text, labels, fields);
    }

    /// Whether a write of `other` would change nothing.
    boolean says(StoredObject other) {
        return text.equals(other.text);
    }

    /// Writes it as an item of a list, whose items do not say their kind.
    void writeItem(ByteBuf out) {
        out.writeCharSequence("{", StandardCharsets.US_ASCII);
        writeMembers(out, version);
    }

    /// Writes it as it stands alone, as of `version`.
    void writeWhole(ByteBuf out, long version) {
        out.writeCharSequence(
                "{\"kind\":\"" + kind.title() + "\",\"apiVersion\":\"" + kind.apiVersion() + "\",",
                StandardCharsets.US_ASCII);
        writeMembers(out, version);
    }

    ObjectNode tree() {
        ByteBuf whole = Unpooled.buffer(size());
        writeWhole(whole, version);
        return (ObjectNode) JsonMapper.shared().readTree(new ByteBufInputStream(whole));
    }

    private void writeMembers(ByteBuf out, long version) {
        out.writeCharSequence(
                "\"metadata\":{\"resourceVersion\":\"" + version + "\"", StandardCharsets.US_ASCII);
        out.writeBytes(text, text.readerIndex(), text.readableBytes());
    }

    /// At least as many bytes as it takes to write it.
    int size() {
        return MOST_BEFORE_TEXT + text.readableBytes();
    }
}
