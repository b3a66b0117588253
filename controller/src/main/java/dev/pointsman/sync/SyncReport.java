package dev.pointsman.sync;

import dev.pointsman.conntrack.FlowCleanup;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Frontend;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServicePortName;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// Something that happened in the loop and that an operator may want to know. Prints as one line.
public sealed interface SyncReport {

    /// Why the kernel was written.
    enum Cause {
        /// What the cluster says changed.
        CHANGE,
        /// Start, a failed commit or rules that somebody removed.
        REPAIR,
        /// The slow comparison found a difference.
        AUDIT
    }

    /// How long the stages took; `latency` is from the arrival of the oldest event, zero if none.
    record Took(Duration plan, Duration render, Duration commit, Duration latency) {}

    /// Everything is listed but this machine's Node, without which nothing is written.
    record AwaitingNode(String node) implements SyncReport {
        @Override
        public String toString() {
            return "there is no Node \""
                    + node
                    + "\"; nothing is written until there is; --node names another one";
        }
    }

    /// The kernel took a transaction.
    ///
    /// @param frontends how many the kernel holds now
    record Committed(Family family, Cause cause, int frontends, Transaction.Size size, Took took)
            implements SyncReport {
        @Override
        public String toString() {
            return family.title()
                    + switch (cause) {
                        case CHANGE -> ": changed";
                        case REPAIR -> ": brought up to date";
                        case AUDIT -> ": the kernel differed from the plan; put right";
                    }
                    + ", "
                    + count(size.rules(), "rule")
                    + " and "
                    + count(size.elements(), "element")
                    + " written in "
                    + ms(took.plan().plus(took.render()).plus(took.commit()))
                    + " (plan "
                    + ms(took.plan())
                    + ", render "
                    + ms(took.render())
                    + ", commit "
                    + ms(took.commit())
                    + (took.latency().isZero() ? "" : ", since the event " + ms(took.latency()))
                    + "), "
                    + count(frontends, "Frontend")
                    + " in place";
        }
    }

    /// The kernel already held everything; nothing was written.
    record FoundInPlace(Family family, int frontends) implements SyncReport {
        @Override
        public String toString() {
            return family.title()
                    + ": the kernel already holds all "
                    + count(frontends, "Frontend")
                    + ", nothing to write";
        }
    }

    /// A Service has no rules, because the kernel refused them; all others are not affected.
    record SetAside(
            Family family, ServiceName service, String what, String why, Duration retryAfter)
            implements SyncReport {
        @Override
        public String toString() {
            return family.title()
                    + ": Service "
                    + service
                    + " is set aside and has no rules: the kernel refused "
                    + what
                    + ": "
                    + why
                    + "; tried again in "
                    + retryAfter.toSeconds()
                    + " s and when it changes";
        }
    }

    /// A Service that was set aside went in.
    record Restored(Family family, ServiceName service) implements SyncReport {
        @Override
        public String toString() {
            return family.title() + ": Service " + service + " is no longer set aside";
        }
    }

    /// Several ServicePorts claim one Frontend.
    record Contested(
            Family family, Frontend frontend, ServicePortName winner, List<ServicePortName> losers)
            implements SyncReport {
        public Contested {
            losers = List.copyOf(losers);
        }

        @Override
        public String toString() {
            return family.title()
                    + ": "
                    + frontend
                    + " is claimed more than once: "
                    + winner
                    + " has it, not served for "
                    + String.join(", ", losers.stream().map(ServicePortName::toString).toList());
        }
    }

    /// Somebody removed or replaced our rules.
    record Removed(Family family) implements SyncReport {
        @Override
        public String toString() {
            return family.title()
                    + ": the rules were removed or replaced by somebody else; repairing";
        }
    }

    /// The kernel is not known to hold the plan.
    ///
    /// @param kind whether the kernel answered so, cannot be reached, or this program is wrong
    record Failed(Family family, Kind kind, String reason, Duration retryAfter)
            implements SyncReport {
        /// Where the failure lies.
        public enum Kind {
            COMMIT,
            UNAVAILABLE,
            UNEXPECTED
        }

        @Override
        public String toString() {
            return family.title() + ": " + reason + "; repair in " + retryAfter.toSeconds() + " s";
        }
    }

    /// Stale UDP flows were looked for, and those found were deleted.
    ///
    /// @param took with the listing of all flows
    record FlowsCleaned(Family family, FlowCleanup.Result.Cleaned result, Duration took)
            implements SyncReport {
        /// Whether an operator learns nothing from it.
        public boolean isRoutine() {
            return result.deleted() == 0 && result.remarks().isEmpty();
        }

        @Override
        public String toString() {
            return family.title()
                    + ": "
                    + count(result.deleted(), "stale UDP flow")
                    + " of "
                    + result.listed()
                    + " deleted in "
                    + ms(took)
                    + String.join("", result.remarks().stream().map("; "::concat).toList());
        }
    }

    /// Stale UDP flows may be left.
    record CleanupFailed(Family family, String reason, Duration retryAfter) implements SyncReport {
        @Override
        public String toString() {
            return family.title()
                    + ": stale UDP flows may be left: "
                    + reason
                    + "; tried again in "
                    + retryAfter.toSeconds()
                    + " s";
        }
    }

    private static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    private static String ms(Duration duration) {
        return String.format(Locale.ROOT, "%.1f ms", duration.toNanos() / 1e6);
    }
}
