package dev.pointsman;

import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.dataplane.Mode;
import java.util.ArrayList;
import java.util.List;

/// Removes what would decide about packets beside the rules of a mode, which are all in place.
///
/// @param available all modes that there are
record TakeOver(Mode mode, List<Mode> available) {
    TakeOver {
        available = List.copyOf(available);
    }

    /// Gives what there is to say about it, in lines.
    List<String> run() {
        CleanupReport report = new Clearing(available, this::isToGo, false).of(available);
        List<String> said = new ArrayList<>();
        for (Leftovers.Found found : report.gone()) {
            said.add(
                    "took over from "
                            + found.maker().word()
                            + ": removed "
                            + found.objects().size()
                            + " objects of "
                            + found.place());
        }
        if (report.gone().isEmpty()) {
            said.add("took over: nobody else left anything");
        }
        said.addAll(report.remaining());
        report.failures()
                .forEach(why -> said.add(why + "; pointsman cleanup --kube-proxy tries it again"));
        return said;
    }

    private boolean isToGo(Mode other, Leftovers.Maker maker) {
        return maker == Leftovers.Maker.KUBE_PROXY || !isUsed(other);
    }

    /// Whether the mode lives of what is listed under `other`.
    private boolean isUsed(Mode other) {
        return other.name().equals(mode.name()) || mode.referrers().contains(other.name());
    }
}
