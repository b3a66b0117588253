package dev.pointsman.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Compares rendered text with a file under `src/test/golden` of the module that is tested;
/// `-Dgolden=update` writes the file instead.
public final class Golden {
    private static final Path FOLDER = Path.of("src", "test", "golden");

    private Golden() {}

    public static void check(String name, String text) {
        Path file = FOLDER.resolve(name);
        try {
            if ("update".equals(System.getProperty("golden"))) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, text);
                return;
            }
            assertThat(file).as("golden file; -Dgolden=update writes it").exists();
            assertThat(text).isEqualTo(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
