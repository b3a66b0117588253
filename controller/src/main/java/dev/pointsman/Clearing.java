package dev.pointsman;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.dataplane.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/// Removes what Service proxies left in the network namespace of this thread.
///
/// @param available all modes that there are
/// @param isToGo whether what a maker left of a mode is to go
/// @param dryRun whether nothing is written
record Clearing(List<Mode> available, BiPredicate<Mode, Leftovers.Maker> isToGo, boolean dryRun) {
    Clearing {
        available = List.copyOf(available);
    }

    /// Removes the leftovers of `modes`, after those that refer to them. What fails stops nothing
    /// else.
    CleanupReport of(Iterable<Mode> modes) {
        List<Mode> ordered = new ArrayList<>();
        modes.forEach(mode -> addAfterReferrers(mode, ordered));
        List<CleanupReport.Fate> fates = new ArrayList<>();
        for (Mode mode : ordered) {
            mode.leftovers().forEach(leftovers -> fates.add(fate(mode, leftovers)));
        }
        return new CleanupReport(fates);
    }

    private void addAfterReferrers(Mode mode, List<Mode> ordered) {
        if (ordered.contains(mode)) {
            return;
        }
        for (Mode other : available) {
            if (mode.referrers().contains(other.name())) {
                addAfterReferrers(other, ordered);
            }
        }
        ordered.add(mode);
    }

    private CleanupReport.Fate fate(Mode mode, Leftovers leftovers) {
        return switch (leftovers) {
            case Leftovers.Found found when !isToGo.test(mode, found.maker()) ->
                    new CleanupReport.Fate.Kept(found.objects().size());
            case Leftovers.Found found when dryRun -> new CleanupReport.Fate.Gone(found);
            case Leftovers.Found found -> remove(found);
            case Leftovers.Staying staying when !isToGo.test(mode, staying.maker()) ->
                    new CleanupReport.Fate.Kept(0);
            case Leftovers.Staying staying -> new CleanupReport.Fate.Remaining(staying);
            case Leftovers.Unreadable(var why) ->
                    new CleanupReport.Fate.Failed(String.valueOf(why.getMessage()));
        };
    }

    private static CleanupReport.Fate remove(Leftovers.Found found) {
        try {
            return switch (found.removal().remove()) {
                case Commit.Applied _ -> new CleanupReport.Fate.Gone(found);
                case Commit.Busy(var who) ->
                        failed(found, "nothing was removed, busy: " + who + "; try again");
                case Commit.Refused(var object, var why, _) ->
                        failed(
                                found,
                                "nothing was removed, the kernel refused " + object + ": " + why);
                case Commit.Torn(var applied, var refused) ->
                        failed(
                                found,
                                "only a part was removed ("
                                        + applied
                                        + "), the kernel refused "
                                        + refused.what()
                                        + ": "
                                        + refused.why());
            };
        } catch (DataplaneUnavailable e) {
            return failed(found, String.valueOf(e.getMessage()));
        }
    }

    private static CleanupReport.Fate failed(Leftovers.Found found, String why) {
        return new CleanupReport.Fate.Failed(found.place() + ": " + why);
    }
}
