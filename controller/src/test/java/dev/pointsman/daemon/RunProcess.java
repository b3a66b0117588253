package dev.pointsman.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.TestNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// `pointsman` in a JVM of its own and in the network namespace of a node.
public final class RunProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int LOOK_MILLIS = 20;

    /// What a test sends meanwhile leaves little of an only processor to a JVM that starts.
    private static final List<String> PREFERRED = List.of("nice", "-n", "-10");

    /// Those of the launcher.
    private static final Path OPTIONS =
            Path.of("..", "deploy", "src", "dist", "app", "jvm.options").toAbsolutePath();

    private final Process process;
    private final Path log;

    private RunProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /// What is other than in a plain shell.
    ///
    /// @param through command that starts it in turn; empty for none
    /// @param environment added to that of this process
    public record Around(List<String> through, Map<String, String> environment) {
        static final Around NOTHING = new Around(List.of(), Map.of());
    }

    /// Starts it.
    ///
    /// @param log what it says, on either stream
    /// @param line verb and options
    public static RunProcess start(TestNamespace node, Path log, String... line)
            throws IOException {
        return start(node, log, Around.NOTHING, line);
    }

    /// The same in other surroundings.
    public static RunProcess start(TestNamespace node, Path log, Around around, String... line)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", node.name()));
        command.addAll(PREFERRED);
        command.addAll(around.through());
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + OPTIONS,
                        "dev.pointsman.Main"));
        command.addAll(List.of(line));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        builder.environment().putAll(around.environment());
        return new RunProcess(builder.start(), log);
    }

    /// Everything it has said.
    public String said() throws IOException {
        return Files.readString(log);
    }

    /// Returns when it has said `words`.
    public void await(String words) throws Exception {
        await(words, 1);
    }

    /// Returns when it has said `words` in so many lines.
    void await(String words, int lines) throws Exception {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (said().lines().filter(line -> line.contains(words)).count() < lines) {
            if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)
                    || Instant.now().isAfter(deadline)) {
                throw new AssertionError(
                        "not " + lines + " times \"" + words + "\", but:\n" + said());
            }
        }
    }

    /// How many files it has open.
    int openDescriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            return (int) open.count();
        }
    }

    /// Lets it have no more open files than `most`, as far as it has not already.
    void descriptors(int most) throws Exception {
        Process prlimit =
                new ProcessBuilder("prlimit", "--pid", "" + process.pid(), "--nofile=" + most + ":")
                        .inheritIO()
                        .start();
        assertThat(prlimit.waitFor()).isZero();
    }

    /// `kill -9`.
    void kill() {
        process.destroyForcibly().onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    /// Asks it to end, and gives its exit code.
    public int end() throws InterruptedException {
        process.destroy();
        return exitCode();
    }

    /// That of a process that ends by itself.
    public int exitCode() throws InterruptedException {
        boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly();
        }
        assertThat(ended).as("it ended by itself").isTrue();
        return process.exitValue();
    }

    /// For a test that fails before it has ended it.
    @Override
    public void close() {
        kill();
    }
}
