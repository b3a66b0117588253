package dev.pointsman.perf.api;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.pcollections.PSortedMap;

/// All objects of one kind right after one of them was written. Each moment leads to the next one,
/// so that whoever stands at one can go on from there at a pace of its own; what lies behind
/// everybody is garbage.
///
/// @param version the resourceVersion of that write
/// @param key of the object that was written
/// @param objects by their keys
record Moment(
        long version,
        String key,
        PSortedMap<String, StoredObject> objects,
        CompletableFuture<Moment> next) {
    Moment(long version, String key, PSortedMap<String, StoredObject> objects) {
        this(version, key, objects, new CompletableFuture<>());
    }

    /// What who watches `selection` and knows of everything up to here is told of `next`.
    Optional<WatchEvent> change(Moment next, Selection selection) {
        Optional<StoredObject> before = selection.of(objects, next.key);
        Optional<StoredObject> after = selection.of(next.objects, next.key);
        if (after.isPresent()) {
            return after.map(
                    object ->
                            new WatchEvent(
                                    before.isPresent()
                                            ? WatchEvent.Type.MODIFIED
                                            : WatchEvent.Type.ADDED,
                                    object,
                                    next.version));
        }
        return before.map(object -> new WatchEvent(WatchEvent.Type.DELETED, object, next.version));
    }
}
