package dev.pointsman;

import dev.pointsman.config.Unreadable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file of configuration that a command is for.
final class ConfigFile {
    private ConfigFile() {}

    /// What is in it.
    ///
    /// @param name - for `in`
    static String text(String name, InputStream in) {
        try {
            return name.equals("-")
                    ? new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(name));
        } catch (IOException e) {
            throw Complaint.ofInput(name + ": cannot be read: " + Unreadable.why(Path.of(name), e));
        }
    }
}
