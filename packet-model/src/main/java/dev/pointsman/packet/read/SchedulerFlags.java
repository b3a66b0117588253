package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Scheduler;
import dev.pointsman.packet.netfilter.Scheduler.Flag;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// `-b sh-port,flag-1`: what ipvsadm(8) switches on of a scheduler.
final class SchedulerFlags {
    private SchedulerFlags() {}

    /// The scheduler called `name`.
    ///
    /// @param flags empty for none
    /// @param unread takes those that are not known
    static Scheduler of(String name, String flags, List<String> unread) {
        SortedSet<Flag> known = new TreeSet<>();
        if (!flags.isEmpty()) {
            for (String flag : flags.split(",", -1)) {
                switch (flag) {
                    case "flag-1", "sh-fallback", "mh-fallback" -> known.add(Flag.FALLBACK);
                    case "flag-2", "sh-port", "mh-port" -> known.add(Flag.PORT);
                    default -> unread.add("--sched-flags " + flag);
                }
            }
        }
        return new Scheduler(name, known);
    }
}
