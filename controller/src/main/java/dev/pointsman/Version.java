package dev.pointsman;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/// The version that the build wrote down.
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        return new String[] {"pointsman " + current()};
    }

    static String current() throws IOException {
        try (InputStream text = Version.class.getResourceAsStream("version.txt")) {
            if (text == null) {
                throw new IOException("version.txt is missing from the class path");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }
}
