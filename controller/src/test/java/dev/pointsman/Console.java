package dev.pointsman;

import dev.pointsman.conntrack.FlowCleanup;
import dev.pointsman.dataplane.Mode;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/// Where tests run commands: no terminal unless they say so, and what the last command printed is
/// kept.
final class Console {
    final StringWriter out = new StringWriter();
    final StringWriter err;
    Surroundings.Screen outScreen = Surroundings.Screen.LOG;
    Surroundings.Screen errScreen = Surroundings.Screen.LOG;
    private final Supplier<Iterable<Mode>> modes;
    private final String hostname;

    Console(Supplier<Iterable<Mode>> modes, String hostname) {
        this(modes, hostname, new StringWriter());
    }

    /// With a standard error of its own.
    Console(Supplier<Iterable<Mode>> modes, String hostname, StringWriter err) {
        this.err = err;
        this.modes = modes;
        this.hostname = hostname;
    }

    /// Gives the exit code.
    int run(InputStream in, List<String> line) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(
                new Surroundings(
                        in,
                        new PrintWriter(out),
                        new PrintWriter(err),
                        outScreen,
                        errScreen,
                        Map.of(),
                        System::nanoTime,
                        InstantSource.fixed(Instant.EPOCH),
                        new Random(1),
                        modes,
                        () -> hostname,
                        _ -> new FlowCleanup.Result.Cleaned(0, 0, List.of()),
                        Path.of("/nowhere")),
                line.toArray(String[]::new));
    }
}
