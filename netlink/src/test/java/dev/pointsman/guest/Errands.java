package dev.pointsman.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A folder in which one side asks for tests, one after the other, and the other side answers.
final class Errands {
    private final Path folder;
    private int number;

    /// @param id of a test
    record Errand(String id, Duration limit, Path verdict) {}

    Errands(Path folder) {
        this.folder = folder;
    }

    /// The file that is there once the other side answers.
    Path ready() {
        return folder.resolve("ready");
    }

    /// Asks, and gives the file in which the answer will be.
    Path ask(String id, Duration limit) throws IOException {
        number++;
        Path part = folder.resolve("part");
        Files.write(part, List.of(id, limit.toString()));
        Files.move(part, question(), StandardCopyOption.ATOMIC_MOVE);
        return answer();
    }

    /// What was asked for and not yet given, if anything.
    Optional<Errand> next() throws IOException {
        number++;
        if (Files.notExists(question())) {
            number--;
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(question());
        return Optional.of(new Errand(lines.get(0), Duration.parse(lines.get(1)), answer()));
    }

    private Path question() {
        return folder.resolve("errand-" + number);
    }

    private Path answer() {
        return folder.resolve("verdict-" + number);
    }

    void delete() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
