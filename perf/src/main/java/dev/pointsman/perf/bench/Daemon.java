package dev.pointsman.perf.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A proxy that runs on the node of a [Town].
final class Daemon implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final int SECONDS_TO_END = 20;
    private static final int LAST_WORDS = 5;

    private final Process process;
    private final Path log;
    private final ProcessTree tree;
    private volatile double peak;

    private Daemon(Process process, Path log) {
        this.process = process;
        this.log = log;
        tree = new ProcessTree(process.toHandle());
        Thread.ofPlatform().name("memory").daemon().start(this::watch);
    }

    /// @param group that it is to run in
    static Daemon start(Town town, Optional<ControlGroup> group, Proxy proxy, Path config, Path log)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", town.nodeName()));
        command.addAll(proxy.command());
        command.add("--config=" + config);
        return new Daemon(
                new ProcessBuilder(group.map(it -> it.around(command)).orElse(command))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start(),
                log);
    }

    private void watch() {
        try {
            while (!process.waitFor(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                peak = Math.max(peak, tree.resident());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// The largest resident set that was seen, children included, in MiB.
    double peak() {
        return peak;
    }

    ProcessTree tree() {
        return tree;
    }

    /// @throws IOException with its last words, when it has ended
    void mustRun() throws IOException {
        if (!process.isAlive()) {
            List<String> said = Files.readAllLines(log);
            throw new IOException(
                    "the proxy ended with "
                            + process.exitValue()
                            + "; "
                            + log
                            + " ends so: "
                            + said.stream()
                                    .skip(Math.max(0, said.size() - LAST_WORDS))
                                    .collect(Collectors.joining("\n")));
        }
    }

    /// Options that its JVM has, if it is one.
    String virtualMachineOptions() throws IOException {
        Path line = Path.of("/proc", String.valueOf(process.pid()), "cmdline");
        return Stream.of(Files.readString(line).split("\0", -1))
                .filter(word -> word.startsWith("-X"))
                .collect(Collectors.joining(" "));
    }

    /// Asks it to end, and returns when it has; its rules stay.
    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a proxy ended", e);
        }
    }
}
