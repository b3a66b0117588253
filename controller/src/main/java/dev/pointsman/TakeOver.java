package dev.pointsman;

import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.notice.Announcer;
import dev.pointsman.notice.Notice;
import dev.pointsman.notice.Reason;
import java.util.List;

/// Removes what would decide about packets beside the rules of a mode, which are all in place.
///
/// @param available all modes that there are
record TakeOver(Mode mode, List<Mode> available) {
    TakeOver {
        available = List.copyOf(available);
    }

    /// Does it, and says what there is to say about it.
    void run(Announcer announcer) {
        CleanupReport report = new Clearing(available, this::isToGo, false).of(available);
        for (Leftovers.Found found : report.gone()) {
            announcer.say(
                    "took over from "
                            + found.maker().word()
                            + ": removed "
                            + found.objects().size()
                            + " objects of "
                            + found.place());
        }
        if (report.gone().isEmpty()) {
            announcer.say("took over: nobody else left anything");
        }
        report.remaining().forEach(line -> announcer.say(Notice.ofNode(Reason.LEFTOVERS, line)));
        report.failures()
                .forEach(
                        why ->
                                announcer.say(
                                        Notice.ofNode(
                                                Reason.LEFTOVERS,
                                                why
                                                        + "; pointsman cleanup --kube-proxy tries"
                                                        + " it again")));
    }

    private boolean isToGo(Mode other, Leftovers.Maker maker) {
        return maker == Leftovers.Maker.KUBE_PROXY || !isUsed(other);
    }

    /// Whether the mode lives of what is listed under `other`.
    private boolean isUsed(Mode other) {
        return other.name().equals(mode.name()) || mode.referrers().contains(other.name());
    }
}
