package dev.pointsman.logging;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.logging.LogManager;

/// What the JDK does with lines of libraries as long as there is no [LibraryLog]: one line each on
/// standard error, in UTC. The JDK makes one when the first such line is written, and never in most
/// commands.
public final class LibraryDefaults {
    private static final String NAMED = "java.util.logging.config.class";

    /// Called by the JDK.
    public LibraryDefaults() throws IOException {
        try (InputStream properties =
                Objects.requireNonNull(
                        LibraryDefaults.class.getResourceAsStream("libraries.properties"))) {
            LogManager.getLogManager().readConfiguration(properties);
        }
    }

    /// Names this class to the JDK.
    public static void name() {
        System.setProperty(NAMED, LibraryDefaults.class.getName());
    }
}
