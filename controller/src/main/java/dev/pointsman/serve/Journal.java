package dev.pointsman.serve;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Family;
import dev.pointsman.sync.SyncNote;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/// The last transactions, and the last that failed, for who asks what happened. Written on the
/// loop's thread, read on any.
final class Journal {
    private static final int KEPT = 32;
    private static final int FAILURES_KEPT = 16;

    /// Whatever is larger is counted and not kept: a first sync is as large as the cluster.
    private static final int LARGEST_KEPT = 500;

    private static final int LONGEST_PRINTED = 16_384;

    /// What the kernel was told.
    private sealed interface Text {
        record Printed(Transaction transaction) implements Text {}

        record TooLarge() implements Text {}
    }

    private record Entry(
            Instant at,
            Family family,
            String cause,
            Transaction.Size size,
            long micros,
            Commit answer,
            Text text) {}

    private final AtomicReference<List<Entry>> last = new AtomicReference<>(List.of());
    private final AtomicReference<List<Entry>> failed = new AtomicReference<>(List.of());

    void add(Instant at, SyncNote.Answered answered) {
        Transaction.Size size = answered.transaction().size();
        Entry entry =
                new Entry(
                        at,
                        answered.family(),
                        answered.cause().name().toLowerCase(Locale.ROOT),
                        size,
                        answered.took().toNanos() / 1000,
                        answered.answer(),
                        size.rules() + size.elements() > LARGEST_KEPT
                                ? new Text.TooLarge()
                                : new Text.Printed(answered.transaction()));
        last.updateAndGet(with(entry, KEPT));
        if (!(answered.answer() instanceof Commit.Applied)) {
            failed.updateAndGet(with(entry, FAILURES_KEPT));
        }
    }

    private static UnaryOperator<List<Entry>> with(Entry entry, int most) {
        return entries -> {
            Deque<Entry> more = new ArrayDeque<>(entries);
            more.addFirst(entry);
            if (more.size() > most) {
                more.removeLast();
            }
            return List.copyOf(more);
        };
    }

    /// Everything kept, the newest first.
    String print() {
        StringBuilder page = new StringBuilder("# last failures\n");
        failed.get().forEach(entry -> print(entry, page));
        page.append("\n# last transactions\n");
        last.get().forEach(entry -> print(entry, page));
        return page.toString();
    }

    private static void print(Entry entry, StringBuilder page) {
        page.append(
                "\n%s %s %s: %s; %d rules and %d elements in %.1f ms\n"
                        .formatted(
                                entry.at(),
                                entry.family().title(),
                                entry.cause(),
                                said(entry.answer()),
                                entry.size().rules(),
                                entry.size().elements(),
                                entry.micros() / 1000.0));
        switch (entry.text()) {
            case Text.TooLarge _ -> page.append("(too large to be kept)\n");
            case Text.Printed(var transaction) -> {
                Excerpt excerpt = new Excerpt(page, LONGEST_PRINTED);
                try {
                    transaction.print(excerpt);
                } catch (Excerpt.Full _) {
                    page.append("\n(and so on)\n");
                } catch (IOException e) {
                    throw new IllegalStateException("a StringBuilder does not fail", e);
                }
            }
        }
    }

    private static String said(Commit answer) {
        return switch (answer) {
            case Commit.Applied _ -> "applied";
            case Commit.Busy(var who) -> "busy: " + who;
            case Commit.Refused(var what, var why, _) -> "refused " + what + ": " + why;
            case Commit.Torn(var applied, var refused) ->
                    "only a part was written ("
                            + applied
                            + "), refused "
                            + refused.what()
                            + ": "
                            + refused.why();
        };
    }
}
