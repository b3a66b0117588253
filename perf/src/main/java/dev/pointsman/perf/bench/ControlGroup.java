package dev.pointsman.perf.bench;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A control group (cgroups(7)) of one proxy's own, to which the kernel charges the memory that it
/// takes on the proxy's behalf; what a child asked for stays there when the child has ended.
///
/// @param usage the file that says how much
/// @param field which line of it, empty for the only one
record ControlGroup(Path folder, Path usage, String field) implements Closeable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final double MEBIBYTE = 1 << 20;
    private static final Patience TO_BE_EMPTY =
            new Patience(Duration.ofMillis(10), Duration.ofSeconds(5));

    /// Moves a shell into the group before it becomes another program.
    private static final String ENTER = "echo $$ >\"$0\" && exec \"$@\"";

    /// A new one below the root of the hierarchy, or none where memory is not accounted there or
    /// nothing can be written, as in most containers.
    static Optional<ControlGroup> make() throws IOException {
        Path ofVersion1 = ROOT.resolve("memory");
        if (Files.exists(ofVersion1.resolve("memory.kmem.usage_in_bytes"))
                && Files.isWritable(ofVersion1)) {
            Path folder = Files.createTempDirectory(ofVersion1, "pointsman-bench-");
            return Optional.of(
                    new ControlGroup(folder, folder.resolve("memory.kmem.usage_in_bytes"), ""));
        }
        Path enabled = ROOT.resolve("cgroup.subtree_control");
        if (Files.exists(enabled)
                && Files.isWritable(ROOT)
                && List.of(Files.readString(enabled).strip().split(" ", -1)).contains("memory")) {
            Path folder = Files.createTempDirectory(ROOT, "pointsman-bench-");
            return Optional.of(new ControlGroup(folder, folder.resolve("memory.stat"), "kernel "));
        }
        return Optional.empty();
    }

    /// The same command, which runs in this group with all its children.
    List<String> around(List<String> command) {
        List<String> words =
                new ArrayList<>(
                        List.of("sh", "-c", ENTER, folder.resolve("cgroup.procs").toString()));
        words.addAll(command);
        return words;
    }

    /// What the kernel holds for it, in MiB.
    double kernelMemory() throws IOException {
        return Files.readAllLines(usage).stream()
                        .filter(line -> line.startsWith(field))
                        .mapToLong(line -> Long.parseLong(line.substring(field.length())))
                        .sum()
                / MEBIBYTE;
    }

    /// Waits until no process is in it any more: children may end a little after their parent.
    @Override
    public void close() throws IOException {
        if (TO_BE_EMPTY.until(this::isGone).isEmpty()) {
            throw new IOException("the control group " + folder + " is left, with processes in it");
        }
    }

    private boolean isGone() {
        try {
            Files.deleteIfExists(folder);
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
