package dev.pointsman.perf.api;

import org.pcollections.TreePMap;

/// What happened to the objects of one kind, as far back as it is remembered.
///
/// @param since the oldest resourceVersion that a watch can go on from
/// @param oldest the moment that was the latest one then
/// @param length how many moments followed
record History(long since, Moment oldest, Moment latest, int length) {
    /// How many changes of a kind are remembered, for those who come back. Who watches already
    /// misses none.
    private static final int LONGEST = 1 << 14;

    static History beginning(long version) {
        Moment empty = new Moment(version, "", TreePMap.empty());
        return new History(version, empty, empty, 0);
    }

    /// The same and one moment more, which nobody is told of yet.
    History and(Moment next) {
        if (length < LONGEST) {
            return new History(since, oldest, next, length + 1);
        }
        Moment second = oldest.next().join();
        return new History(second.version(), second, next, length);
    }

    /// Nothing but what is, as of `version`.
    History compacted(long version) {
        return new History(version, latest, latest, 0);
    }

    /// The last moment up to `version`. Never waits.
    Moment at(long version) throws Refusal {
        if (version < since) {
            throw Refusal.expired(version, since);
        }
        if (version >= latest.version()) {
            return latest;
        }
        Moment at = oldest;
        while (at.next().isDone() && at.next().join().version() <= version) {
            at = at.next().join();
        }
        return at;
    }
}
