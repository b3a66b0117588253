package dev.pointsman;

import dev.pointsman.config.Unreadable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// How gladly the kernel ends this process when memory is short.
final class OomScore {
    private OomScore() {}

    /// Sets it, and says what stopped it.
    ///
    /// @param proc where the kernel shows processes
    static Optional<String> set(Path proc, int score) {
        Path file = proc.resolve("self/oom_score_adj");
        try {
            if (!Files.readString(file).strip().equals(String.valueOf(score))) {
                Files.writeString(file, String.valueOf(score));
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(
                    "oomScoreAdj: "
                            + file
                            + " cannot be set to "
                            + score
                            + ": "
                            + Unreadable.why(file, e)
                            + "; the kernel may end this process when memory is short; run as root"
                            + " with CAP_SYS_RESOURCE, or set oomScoreAdj to what the process"
                            + " starts with");
        }
    }
}
