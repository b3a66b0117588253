package dev.pointsman.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class FileWatchTest {
    @TempDir private Path folder = Path.of("");

    private final Semaphore changes = new Semaphore(0);

    private boolean take() {
        changes.release();
        return true;
    }

    private boolean changed() throws InterruptedException {
        return changes.tryAcquire(30, TimeUnit.SECONDS);
    }

    @Test
    void a_file_written_replaced_or_linked_elsewhere_is_noticed() throws Exception {
        Path file = Files.writeString(folder.resolve("a.yaml"), "1");
        Path other = Files.writeString(folder.resolve("b.yaml"), "three");
        Path link = Files.createSymbolicLink(folder.resolve("link.yaml"), file);
        try (FileWatch _ = new FileWatch(List.of(link), Duration.ofMillis(50), this::take)) {
            Files.writeString(file, "22");
            assertThat(changed()).isTrue();

            Path next = Files.createSymbolicLink(folder.resolve("next"), other);
            Files.move(next, link, StandardCopyOption.REPLACE_EXISTING);
            assertThat(changed()).isTrue();
        }
    }

    @Test
    void what_could_not_be_used_is_offered_again() throws Exception {
        Path file = Files.writeString(folder.resolve("a.yaml"), "1");
        AtomicInteger offers = new AtomicInteger();
        try (FileWatch _ =
                new FileWatch(
                        List.of(file),
                        Duration.ofMillis(50),
                        () -> take() && offers.incrementAndGet() > 2)) {
            Files.writeString(file, "22");
            assertThat(changes.tryAcquire(3, 30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_folder_is_watched_with_what_comes_into_it() throws Exception {
        try (FileWatch _ = new FileWatch(List.of(folder), Duration.ofMillis(50), this::take)) {
            Files.writeString(folder.resolve("new.yaml"), "1");
            assertThat(changed()).isTrue();
        }
    }
}
