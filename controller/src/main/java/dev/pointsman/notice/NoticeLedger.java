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
/// Pure but for what it remembers; owned by one thread.
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

    private record Key(Notice.Subject subject, Reason reason) {}

    /// @param told the count that was written last
    /// @param at when that was
    private record Series(Entry entry, int told, Instant at) {
        static Series told(Entry entry, Instant now) {
            return new Series(entry, entry.count(), now);
        }

        boolean isTold() {
            return told == entry.count();
        }
    }

    private final Map<Key, Series> all = new LinkedHashMap<>();
    private int tokens = BURST;
    private Instant refilled;
    private boolean withheld;

    /// @param now when it begins
    public NoticeLedger(Instant now) {
        refilled = now;
    }

    /// Takes down `notice` and gives what is to be written of it now.
    public Optional<Entry> heard(Notice notice, Instant now) {
        Key key = new Key(notice.subject(), notice.reason());
        // Taken out, so that it comes after all others when it is put in again.
        Series series = all.remove(key);
        if (series == null || isQuiet(series, now)) {
            return begun(key, new Entry(notice, now, 1, now), now);
        }
        Entry before = series.entry();
        Entry again = new Entry(before.notice(), before.first(), before.count() + 1, now);
        // The second one makes it a series; of what follows, the count is told later.
        boolean told = again.count() == 2 && isCounted(notice) && spend(now);
        all.put(
                key,
                told ? Series.told(again, now) : new Series(again, series.told(), series.at()));
        return told ? Optional.of(again) : Optional.empty();
    }

    private Optional<Entry> begun(Key key, Entry entry, Instant now) {
        if (!spend(now)) {
            withheld = true;
            return Optional.empty();
        }
        all.put(key, Series.told(entry, now));
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
    public List<Entry> due(Instant now) {
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
            boolean stale = !now.isBefore(series.at().plus(REFRESH));
            if (!series.isTold()
                    && isCounted(series.entry().notice())
                    && (ended || stale)
                    && spend(now)) {
                due.add(series.entry());
                next.setValue(Series.told(series.entry(), now));
            }
            if (ended) {
                each.remove();
            }
        }
        return due;
    }

    private static boolean isQuiet(Series series, Instant now) {
        return !now.isBefore(series.entry().last().plus(QUIET));
    }

    /// Nodes that share an Event would each write their own count into it.
    private static boolean isCounted(Notice notice) {
        return notice.reason().seen() == Reason.Seen.BY_THIS_NODE;
    }

    private boolean spend(Instant now) {
        refill(now);
        if (tokens == 0) {
            return false;
        }
        tokens--;
        return true;
    }

    private void refill(Instant now) {
        if (now.isBefore(refilled)) {
            // The wall clock was set back, which must not silence a node for hours.
            refilled = now;
        }
        long more = Duration.between(refilled, now).dividedBy(REFILL);
        if (more > 0) {
            tokens = (int) Math.min(BURST, tokens + more);
            refilled = refilled.plus(REFILL.multipliedBy(more));
        }
    }
}
