package dev.pointsman;

import dev.pointsman.config.ConfigReading;
import dev.pointsman.config.ProxyConfiguration;
import java.util.List;
import java.util.function.Supplier;

/// Follows the configuration file of a process that runs: other rules are taken over, whatever else
/// changed needs a new start, and a file that cannot be used changes nothing.
final class ConfigFollower {
    private final Supplier<ConfigReading> reread;
    private final Steps steps;
    private ConfigReading.Read current;

    // What was wrong with the file when it was read last.
    private List<String> wrong = List.of();

    /// What it can do about a change.
    interface Steps {
        void say(String line);

        /// Says that nothing comes of what the file says now.
        void refuse(String reason);

        void apply(ConfigReading.Read taken);

        void end(String reason);
    }

    ConfigFollower(ConfigReading.Read current, Supplier<ConfigReading> reread, Steps steps) {
        this.current = current;
        this.reread = reread;
        this.steps = steps;
    }

    /// The file may have changed; from any thread. Gives whether it could be used.
    synchronized boolean look() {
        return switch (reread.get()) {
            case ConfigReading.Invalid(var problems) -> {
                refuse(problems);
                yield false;
            }
            case ConfigReading.Read next -> {
                wrong = List.of();
                take(next);
                yield true;
            }
        };
    }

    private void refuse(List<String> problems) {
        // A file that cannot be used is read again every two seconds.
        if (!problems.equals(wrong)) {
            wrong = problems;
            steps.refuse(
                    "the configuration changed and cannot be used; it stays as it was read: "
                            + problems.getFirst());
            problems.stream().skip(1).forEach(steps::say);
        }
    }

    private void take(ConfigReading.Read next) {
        String changed = String.join(", ", current.effective().changedIn(next.effective()));
        ProxyConfiguration before = current.configuration();
        ProxyConfiguration after = next.configuration();
        if (after.equals(before)) {
            return;
        }
        if (!after.equals(before.withRulesOf(after))) {
            steps.end("the configuration changed in " + changed + ", which takes a new start");
            return;
        }
        current = next;
        next.warnings().forEach(steps::say);
        steps.say("the configuration changed in " + changed + "; taken over");
        steps.apply(next);
    }
}
