package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Options in a file, which a command line names with `@`.
final class OptionsFileTest {
    @TempDir Path folder;
    private final Console console = new Console(List::of, "node-a");

    private int run(String... line) {
        return console.run(InputStream.nullInputStream(), List.of(line));
    }

    @Test
    void options_are_read_from_a_file_with_remarks() throws IOException {
        Path file = Files.writeString(folder.resolve("options"), "# names only\n--list\n");
        assertThat(run("man", "@" + file)).isZero();
        assertThat(console.out.toString().lines()).contains("pointsman-run");
    }

    @Test
    void a_file_that_is_not_there_is_named() {
        String file = folder.resolve("nothing").toString();
        assertThat(run("health", "@" + file)).isEqualTo(Exit.INPUT);
        assertThat(console.err.toString())
                .contains("@" + file + ": there is no such file of options");
    }
}
