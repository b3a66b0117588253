package dev.pointsman;

import dev.pointsman.conntrack.FlowCleanup;
import dev.pointsman.dataplane.Mode;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// What the process finds around it. Everything that is not a function of its arguments is here, so
/// that a test can be the world.
///
/// @param modes what kernels can be programmed through, in no particular order
/// @param hostname what the machine calls itself
/// @param flows cleans up the UDP flows of this network namespace
/// @param root where `/proc` and `/sys` are
record Surroundings(
        InputStream in,
        PrintWriter out,
        PrintWriter err,
        Screen outScreen,
        Screen errScreen,
        Map<String, String> environment,
        LongSupplier nanos,
        InstantSource clock,
        RandomGenerator chance,
        Supplier<Iterable<Mode>> modes,
        Supplier<String> hostname,
        FlowCleanup flows,
        Path root) {

    /// What reads a stream.
    enum Screen {
        TERMINAL,
        LOG
    }

    /// Whether the data are coloured; messages never are.
    boolean wantsColour() {
        return outScreen == Screen.TERMINAL
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }
}
