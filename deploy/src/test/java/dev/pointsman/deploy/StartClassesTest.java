package dev.pointsman.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The list that `deploy/train` wrote, against the program as it is. Names that are gone make every
/// start slower, and nothing else would tell.
final class StartClassesTest {
    @Test
    void nine_of_ten_of_our_classes_in_the_list_still_exist() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("start-classes.list"))) {
            List<String> ours = lines.filter(line -> line.startsWith("dev/pointsman/")).toList();
            List<String> gone = ours.stream().filter(name -> !exists(name)).toList();
            assertThat(ours).hasSizeGreaterThan(100);
            assertThat(gone)
                    .as("deploy/train makes the list anew")
                    .hasSizeLessThan(ours.size() / 10);
        }
    }

    private static boolean exists(String name) {
        return StartClassesTest.class.getClassLoader().getResource(name + ".class") != null;
    }
}
