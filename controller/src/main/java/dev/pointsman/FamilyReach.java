package dev.pointsman;

import dev.pointsman.graph.Family;
import dev.pointsman.notice.Notice;
import dev.pointsman.notice.Reason;
import dev.pointsman.sync.SyncReport;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// In which families the kernel could be reached, and what is said of those in which it never was.
/// On the loop's thread.
final class FamilyReach implements Consumer<SyncReport> {
    private final Supplier<List<Family>> families;
    private final LogAndEvents messages;

    private final Set<Family> reached = EnumSet.noneOf(Family.class);
    private final Set<Family> never = EnumSet.noneOf(Family.class);
    private final List<SyncReport.Failed> unsaid = new ArrayList<>();

    /// @param families that are programmed
    FamilyReach(Supplier<List<Family>> families, LogAndEvents messages) {
        this.families = families;
        this.messages = messages;
    }

    /// Whether no family was ever reached: then there is nothing to keep trying for.
    boolean isNone() {
        return never.containsAll(families.get());
    }

    /// Why, as far as it is not said.
    SortedSet<String> obstacles() {
        SortedSet<String> reasons = new TreeSet<>();
        unsaid.forEach(failed -> reasons.add(failed.reason()));
        return reasons;
    }

    /// Says it, but for failures to reach a family that never was: those are said once.
    @Override
    public void accept(SyncReport report) {
        switch (report) {
            case SyncReport.Failed failed
                    when failed.kind() == SyncReport.Failed.Kind.UNAVAILABLE
                            && !reached.contains(failed.family()) -> {
                if (never.add(failed.family())) {
                    unsaid.add(failed);
                }
                if (!reached.isEmpty()) {
                    sayUnreached();
                }
                return;
            }
            case SyncReport.Committed committed -> reach(committed.family());
            case SyncReport.FoundInPlace found -> reach(found.family());
            case SyncReport.FlowsCleaned _,
                    SyncReport.CleanupFailed _,
                    SyncReport.AwaitingNode _,
                    SyncReport.SetAside _,
                    SyncReport.Restored _,
                    SyncReport.Contested _,
                    SyncReport.Removed _,
                    SyncReport.Failed _ -> {}
        }
        sayUnreached();
        messages.say(report);
    }

    /// Only while another family is reached: otherwise the process ends and says why.
    private void sayUnreached() {
        for (SyncReport.Failed failed : unsaid) {
            String family = failed.family().title();
            messages.say(
                    Notice.ofNode(
                            Reason.KERNEL_UNREACHABLE,
                            family
                                    + ": "
                                    + failed.reason()
                                    + "; this node is served without "
                                    + family
                                    + ", and healthy without it, until it can be reached, which is"
                                    + " tried again and again"));
        }
        unsaid.clear();
    }

    private void reach(Family family) {
        reached.add(family);
        never.remove(family);
    }
}
