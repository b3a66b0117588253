package dev.pointsman.perf.api;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;

/// A line of a watch.
///
/// @param object as it is now, or as it was before it was deleted or no longer selected
/// @param version of the write that the line tells of
record WatchEvent(Type type, StoredObject object, long version) {
    enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    private static final int MOST_AROUND_OBJECT = 40;

    /// The object as one that was always there.
    static WatchEvent initial(StoredObject object) {
        return new WatchEvent(Type.ADDED, object, object.version());
    }

    ByteBuf line(ByteBufAllocator allocator) {
        ByteBuf out = allocator.buffer(object.size() + MOST_AROUND_OBJECT);
        out.writeCharSequence("{\"type\":\"" + type + "\",\"object\":", StandardCharsets.US_ASCII);
        object.writeWhole(out, version);
        out.writeCharSequence("}\n", StandardCharsets.US_ASCII);
        return out;
    }
}
