package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file of this repository that tests write, and that is as they would write it.
public final class Generated {
    private Generated() {}

    /// Compares `text` with `file`; `-Dgolden=update` writes the file first.
    public static void check(Path file, String text) throws IOException {
        if (System.getProperty("golden", "compare").equals("update")) {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, text);
        }
        assertThat(text).as(file + "; -Dgolden=update writes it").isEqualTo(Files.readString(file));
    }
}
