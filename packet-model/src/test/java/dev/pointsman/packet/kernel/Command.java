package dev.pointsman.packet.kernel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program that ran, in the network namespace of the thread that started it.
///
/// @param output what it printed, errors included
record Command(List<String> words, int status, String output) {
    private static final int SECONDS = 60;

    /// Runs a program with `input` on its standard input.
    static Command run(String input, String... words) throws IOException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        boolean ended = false;
        try {
            ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + List.of(words), e);
        } finally {
            process.destroyForcibly();
        }
        if (!ended) {
            throw new IOException(List.of(words) + " did not end: " + output);
        }
        return new Command(List.of(words), process.exitValue(), output);
    }

    /// The output, when the program succeeded.
    String succeeded() throws IOException {
        if (status != 0) {
            throw new IOException(words + " ended with status " + status + ": " + output);
        }
        return output;
    }
}
