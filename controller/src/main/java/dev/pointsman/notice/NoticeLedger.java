package dev.pointsman.notice;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Decides what the API server is told of what is noticed. What is noticed again of the same
/// object, for the same reason, is counted in one series, as Kubernetes' own recorder does it; and
/// however much there is, a node writes few Events.
///
/// Pure but for what it remembers; owned by one thread. The wall clock only stamps.
public final class NoticeLedger {
    /// A series ends when it was not added to for so long.
    static final Duration QUIET = Duration.ofMinutes(6);

    /// A series that goes on is written so often: API servers forget Events after an hour.
    static final Duration REFRESH = Duration.ofMinutes(30);

    /// How many can be written at once, and after how long one more.
    static final int BURST = 25;

    static final Duration REFILL = Duration.ofMinutes(1);

    /// Of more series than this, the one that was not added to for longest is forgotten.
    private static final int SERIES = 512;

    private static final Notice WITHHELD =
            Notice.ofNode(
                    Reason.WITHHELD,
                    "more is wrong than there are Events about, to spare the API server; the log of"
                            + " Pointsman on this node says everything");

    /// An Event to write.
    ///
    /// @param first when it was noticed first, which tells this series from another
    /// @param count how often so far; what is written for the first time has 1
    /// @param last when it was noticed last
    public record Entry(Notice notice, Instant first, int count, Instant last) {}

    /// What tells one series from another.
    ///
    /// @param note empty where it may differ from one time to the next, as a kernel's words do
    private record Key(Notice.Subject subject, Reason reason, String note) {
        static Key of(Notice notice) {
            return new Key(
                    notice.subject(),
                    notice.reason(),
                    switch (notice.reason().seen()) {
                        case BY_THIS_NODE -> "";
                        // Of one object there can be several, as of a Service with two conflicts.
                        case BY_EVERY_NODE -> notice.note();
                    });
        }
    }

    /// @param last when it was noticed last
    /// @param told the count that was written last
    /// @param at when that was
    private record Series(Entry entry, Moment last, int told, Moment at) {
        Series toldAt(Moment now) {
            return new Series(entry, last, entry.count(), now);
        }

        boolean isTold() {
            return told == entry.count();
        }
    }

    private final Map<Key, Series> all = new LinkedHashMap<>();
    private int tokens = BURST;
    private long refilled;
    private boolean withheld;

    /// @param now when it begins
    public NoticeLedger(Moment now) {
        refilled = now.nanos();
    }

    /// Takes down `notice` and gives what is to be written of it now.
    public Optional<Entry> heard(Notice notice, Moment now) {
        Key key = Key.of(notice);
        // Taken out, so that it comes after all others when it is put in again.
        Series series = all.remove(key);
        if (series == null || isQuiet(series, now)) {
            return begun(key, new Entry(notice, now.wall(), 1, now.wall()), now);
        }
        Entry before = series.entry();
        Entry again = new Entry(before.notice(), before.first(), before.count() + 1, now.wall());
        // The second one makes it a series; of what follows, the count is told later.
        boolean told = again.count() == 2 && isCounted(notice) && spend(now);
        Series longer = new Series(again, now, series.told(), series.at());
        all.put(key, told ? longer.toldAt(now) : longer);
        return told ? Optional.of(again) : Optional.empty();
    }

    private Optional<Entry> begun(Key key, Entry entry, Moment now) {
        if (!spend(now)) {
            withheld = true;
            return Optional.empty();
        }
        all.put(key, new Series(entry, now, entry.count(), now));
        if (all.size() > SERIES) {
            all.remove(all.keySet().iterator().next());
        }
        return Optional.of(entry);
    }

    /// Notices were lost before they came here.
    public void lost() {
        withheld = true;
    }

    /// What is to be written because time has passed.
    public List<Entry> due(Moment now) {
        List<Entry> due = new ArrayList<>();
        refill(now);
        if (withheld && tokens > 0) {
            withheld = false;
            heard(WITHHELD, now).ifPresent(due::add);
        }
        for (Iterator<Map.Entry<Key, Series>> each = all.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<Key, Series> next = each.next();
            Series series = next.getValue();
            boolean ended = isQuiet(series, now);
            boolean stale = now.since(series.at()).compareTo(REFRESH) >= 0;
            if (!series.isTold()
                    && isCounted(series.entry().notice())
                    && (ended || stale)
                    && spend(now)) {
                due.add(series.entry());
                next.setValue(series.toldAt(now));
            }
            if (ended) {
                each.remove();
            }
        }
        return due;
    }

    private static boolean isQuiet(Series series, Moment now) {
        return now.since(series.last()).compareTo(QUIET) >= 0;
    }

    /// Nodes that share an Event would each write their own count into it.
    private static boolean isCounted(Notice notice) {
        return notice.reason().seen() == Reason.Seen.BY_THIS_NODE;
    }

    private boolean spend(Moment now) {
        refill(now);
        if (tokens == 0) {
            return false;
        }
        tokens--;
        return true;
    }

    private void refill(Moment now) {
        long more = (now.nanos() - refilled) / REFILL.toNanos();
        tokens = (int) Math.min(BURST, tokens + more);
        refilled += more * REFILL.toNanos();
    }
}
