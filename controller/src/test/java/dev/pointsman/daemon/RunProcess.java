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
import java.util.concurrent.TimeUnit;

/// `pointsman` in a JVM of its own and in the network namespace of a node.
public final class RunProcess {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int LOOK_MILLIS = 20;

    private final Process process;
    private final Path log;

    private RunProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /// @param log what it says, on either stream
    /// @param line verb and options
    public static RunProcess start(TestNamespace node, Path log, String... line)
            throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "ip",
                                "netns",
                                "exec",
                                node.name(),
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.pointsman.Main"));
        command.addAll(List.of(line));
        return new RunProcess(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start(),
                log);
    }

    /// Everything it has said.
    public String said() throws IOException {
        return Files.readString(log);
    }

    /// Returns when it has said `words`.
    public void await(String words) throws Exception {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (!said().contains(words)) {
            if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)
                    || Instant.now().isAfter(deadline)) {
                throw new AssertionError("no \"" + words + "\", but:\n" + said());
            }
        }
    }

    /// `kill -9`.
    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /// Asks it to end, and gives its exit code.
    public int end() throws InterruptedException {
        process.destroy();
        return exitCode();
    }

    /// That of a process that ends by itself.
    public int exitCode() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
