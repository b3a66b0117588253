package dev.pointsman;

import dev.pointsman.config.ProxyConfiguration;
import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Family;
import dev.pointsman.notice.Announcer;
import dev.pointsman.notice.Notice;
import dev.pointsman.notice.Reason;
import java.util.List;

/// What `--init-only` does for the mode, so that a process with fewer rights can write the rules
/// afterwards.
record Preparation(Mode mode, List<Family> families, Announcer announcer) {
    Preparation {
        families = List.copyOf(families);
    }

    /// Prepares each family, and gives the exit code: a node that has one family is served without
    /// the other.
    int run(ProxyConfiguration configuration) {
        int prepared = 0;
        for (Family family : families) {
            try (Dataplane dataplane = mode.dataplane(family)) {
                dataplane.prepare(configuration.settings());
                prepared++;
            } catch (DataplaneUnavailable e) {
                announcer.say(
                        Notice.ofNode(
                                Reason.KERNEL_UNREACHABLE, family.title() + ": " + e.getMessage()));
            }
        }
        return prepared > 0 ? Exit.OK : Exit.UNREACHABLE;
    }
}
