package dev.pointsman;

import dev.pointsman.config.ConfigReading;
import dev.pointsman.config.ProxyConfiguration;
import java.util.function.Supplier;

/// Follows the configuration file of a process that runs: other rules are taken over, whatever else
/// changed needs a new start, and a file that cannot be used changes nothing.
final class ConfigFollower {
    private final Supplier<ConfigReading> reread;
    private final Steps steps;
    private ConfigReading.Read current;

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

    /// The file may have changed; from any thread.
    synchronized void look() {
        switch (reread.get()) {
            case ConfigReading.Invalid(var problems) -> {
                problems.forEach(steps::say);
                steps.refuse(
                        "the configuration changed and cannot be used; it stays as it was read: "
                                + problems.getFirst());
            }
            case ConfigReading.Read next -> take(next);
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
