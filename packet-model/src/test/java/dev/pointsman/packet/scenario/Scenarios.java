package dev.pointsman.packet.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// All scenario files, which every backend must answer as the oracle does. They are read from the
/// class path, so a module that depends on this module's test-jar has them.
public final class Scenarios {
    private static final String FOLDER = "/scenarios";

    private Scenarios() {}

    /// Read once: under emulation it takes a second.
    private static final class Loaded {
        private static final List<Scenario> SCENARIOS = load();
    }

    /// Every scenario, in the order of the files' names.
    public static List<Scenario> all() {
        return Loaded.SCENARIOS;
    }

    private static List<Scenario> load() {
        try {
            URL folder = Scenarios.class.getResource(FOLDER);
            if (folder == null) {
                throw new IllegalStateException("no folder " + FOLDER + " on the class path");
            }
            URI uri = folder.toURI();
            if (!uri.getScheme().equals("jar")) {
                return all(Path.of(uri));
            }
            try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
                return all(jar.getPath(FOLDER));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The scenario in `file`, its name without a folder.
    public static Scenario named(String file) {
        return all().stream()
                .filter(scenario -> scenario.file().equals(file))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scenario file " + file));
    }

    private static List<Scenario> all(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().map(Scenarios::read).toList();
        }
    }

    private static Scenario read(Path file) {
        try {
            return ScenarioReader.read(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
