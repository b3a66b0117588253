package dev.pointsman.perf.api;

import java.util.EnumMap;
import java.util.Map;
import java.util.NoSuchElementException;
import org.pcollections.PSortedMap;
import tools.jackson.databind.node.ObjectNode;

/// What an [ApiServer] serves. Written on any thread, one write after the other; who reads sees
/// values that do not change and holds up nobody.
public final class Store {
    /// Lists of an empty store have a version too, and 0 means something else to those who watch.
    private static final long FIRST = 1;

    /// @param version of the last write of any kind
    record State(long version, Map<Kind, History> histories) {
        State {
            histories = new EnumMap<>(histories);
        }

        History of(Kind kind) {
            History history = histories.get(kind);
            if (history == null) {
                throw new IllegalStateException("no history of " + kind);
            }
            return history;
        }

        State with(Moment moment, Kind kind) {
            Map<Kind, History> after = new EnumMap<>(histories);
            after.put(kind, of(kind).and(moment));
            return new State(moment.version(), after);
        }
    }

    private volatile State state;

    public Store() {
        Map<Kind, History> histories = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            histories.put(kind, History.beginning(FIRST));
        }
        state = new State(FIRST, histories);
    }

    /// Creates or replaces an object, as `kubectl get -o json` prints it; a resourceVersion that it
    /// has is ignored. A write that changes nothing is none.
    ///
    /// @return the object's resourceVersion from now on
    public long put(ObjectNode object) {
        StoredObject written = StoredObject.of(object);
        synchronized (this) {
            Kind kind = written.kind();
            PSortedMap<String, StoredObject> objects = state.of(kind).latest().objects();
            StoredObject before = objects.get(written.key());
            if (before != null && before.says(written)) {
                return before.version();
            }
            StoredObject now = written.at(state.version() + 1);
            return write(kind, new Moment(now.version(), now.key(), objects.plus(now.key(), now)));
        }
    }

    /// Deletes an object.
    ///
    /// @param namespace empty for kinds that have none
    /// @return the resourceVersion of the deletion
    /// @throws NoSuchElementException when there is none
    public synchronized long delete(Kind kind, String namespace, String name) {
        String key = new ObjectName(kind, namespace, name).key();
        PSortedMap<String, StoredObject> objects = state.of(kind).latest().objects();
        if (!objects.containsKey(key)) {
            throw new NoSuchElementException("there is no " + kind.title() + " " + key);
        }
        return write(kind, new Moment(state.version() + 1, key, objects.minus(key)));
    }

    /// Does what `write` says, and returns the resourceVersion of it.
    public long write(Write write) {
        return switch (write) {
            case Write.Create(var object) -> put(object);
            case Write.Replace(var object) -> put(object);
            case Write.Delete(var name) -> delete(name.kind(), name.namespace(), name.name());
        };
    }

    /// The object as it is.
    ///
    /// @throws NoSuchElementException when there is none
    public ObjectNode get(ObjectName name) {
        StoredObject object = state.of(name.kind()).latest().objects().get(name.key());
        if (object == null) {
            throw new NoSuchElementException("there is no " + name);
        }
        return object.tree();
    }

    private long write(Kind kind, Moment moment) {
        Moment before = state.of(kind).latest();
        // First known, then told: who is told and asks must find it.
        state = state.with(moment, kind);
        before.next().complete(moment);
        return moment.version();
    }

    /// Forgets how it came to be what it is: who comes back with an older version has to list
    /// again. Who watches already misses nothing.
    public synchronized void compact() {
        long version = state.version();
        Map<Kind, History> after = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            after.put(kind, state.of(kind).compacted(version));
        }
        state = new State(version, after);
    }

    /// The resourceVersion of the last write.
    public long version() {
        return state.version();
    }

    State state() {
        return state;
    }
}
