package dev.pointsman.sync;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Says when files change: at once where the file system tells, and within one poll where it does
/// not (network file systems, files replaced through a symbolic link).
public final class FileWatch implements AutoCloseable {
    private final List<Path> paths;
    private final Duration poll;
    private final BooleanSupplier changed;
    private final WatchService service;
    private final Thread thread;
    private Set<String> seen;

    /// Starts watching.
    ///
    /// @param paths files, or folders with everything in them
    /// @param changed called on a thread of its own, one call at a time; gives whether it could use
    ///   what it found, and is called again with each poll until it could
    /// @throws IOException when the file system cannot be watched at all
    public FileWatch(List<Path> paths, Duration poll, BooleanSupplier changed) throws IOException {
        this.paths = List.copyOf(paths);
        this.poll = poll;
        this.changed = changed;
        service = FileSystems.getDefault().newWatchService();
        for (Path folder : folders()) {
            folder.register(
                    service,
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_MODIFY,
                    StandardWatchEventKinds.ENTRY_DELETE);
        }
        seen = fingerprints();
        thread = Thread.ofPlatform().daemon().name("file-watch").unstarted(this::watch);
        thread.start();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void watch() {
        try (service) {
            while (!Thread.currentThread().isInterrupted()) {
                WatchKey key = service.poll(poll.toMillis(), TimeUnit.MILLISECONDS);
                if (key != null) {
                    key.pollEvents();
                    key.reset();
                }
                Set<String> now = fingerprints();
                if (!now.equals(seen) && changed.getAsBoolean()) {
                    seen = now;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException("closing the watch of " + paths, e);
        }
    }

    private Set<Path> folders() throws IOException {
        Set<Path> folders = new TreeSet<>();
        for (Path path : paths) {
            Path absolute = path.toAbsolutePath();
            if (Files.isDirectory(absolute)) {
                try (Stream<Path> below = Files.walk(absolute)) {
                    below.filter(Files::isDirectory).forEach(folders::add);
                }
            } else if (absolute.getParent() != null && Files.isDirectory(absolute.getParent())) {
                folders.add(absolute.getParent());
            }
        }
        return folders;
    }

    private Set<String> fingerprints() {
        Set<String> all = new HashSet<>();
        for (Path path : paths) {
            try (Stream<Path> below = Files.walk(path)) {
                below.forEach(file -> all.add(fingerprint(file)));
            } catch (IOException | UncheckedIOException e) {
                all.add(path + " unreadable: " + e.getMessage());
            }
        }
        return all;
    }

    private static String fingerprint(Path file) {
        try {
            BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
            return file + " " + is.lastModifiedTime() + " " + is.size() + " " + is.fileKey();
        } catch (IOException e) {
            return file + " unreadable: " + e.getMessage();
        }
    }
}
