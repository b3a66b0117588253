package dev.pointsman.perf.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs programs that end by themselves and soon.
final class Program {
    private static final int SECONDS = 60;

    private Program() {}

    /// What it prints, when it succeeds.
    ///
    /// @throws IOException when it does not; the message has what it said
    static String run(String input, List<String> words) throws IOException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(words + " did not end: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + words, e);
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new IOException(
                    words + " ended with " + process.exitValue() + ": " + said.strip());
        }
        return said;
    }
}
