package dev.pointsman.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// What a program printed, which must have succeeded.
final class Output {
    private Output() {}

    /// Runs in the network namespace of the calling thread.
    static String of(String... command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + output);
        }
        return output;
    }
}
