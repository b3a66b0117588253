package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OomScoreTest {
    @TempDir private Path proc = Path.of("");

    @Test
    void the_score_is_written() throws IOException {
        Path file = Files.createDirectories(proc.resolve("self")).resolve("oom_score_adj");
        Files.writeString(file, "0\n");
        assertThat(OomScore.set(proc, -998)).isEmpty();
        assertThat(file).hasContent("-998");
    }

    @Test
    void a_score_that_cannot_be_written_is_a_warning_with_a_remedy() {
        assertThat(OomScore.set(proc, -999).orElse(""))
                .contains("cannot be set to -999: there is no such file", "CAP_SYS_RESOURCE");
    }
}
