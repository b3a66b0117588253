package dev.pointsman.iptables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The file that the legacy programs lock while they work.
///
/// @param file what is locked
/// @param proc where procfs is mounted
record XtablesLock(Path file, Path proc) {
    static final XtablesLock OF_THIS_NODE =
            new XtablesLock(Path.of("/run/xtables.lock"), Path.of("/proc"));

    /// Who holds it, in words for the operator.
    String holder() {
        try {
            Object inode = Files.getAttribute(file, "unix:ino");
            return holder(Files.readAllLines(proc.resolve("locks")), inode.toString())
                    .map(this::describe)
                    .orElse("a process that let go of " + file + " meanwhile");
        } catch (IOException e) {
            return "an unknown process (" + e + ")";
        }
    }

    /// The process id in the line for `inode` of /proc/locks: `1: FLOCK ADVISORY WRITE 4711
    /// 00:1a:1234 0 EOF`. Lines with an arrow are waiting.
    static Optional<String> holder(List<String> locks, String inode) {
        return locks.stream()
                .map(line -> List.of(line.strip().split("\\s+")))
                .filter(words -> words.size() >= 6 && !words.get(1).equals("->"))
                .filter(words -> words.get(5).endsWith(":" + inode))
                .map(words -> words.get(4))
                .findFirst();
    }

    private String describe(String pid) {
        try {
            return "process "
                    + pid
                    + " ("
                    + Files.readString(proc.resolve(pid).resolve("comm")).strip()
                    + ") holds "
                    + file;
        } catch (IOException _) {
            return "process " + pid + " (not visible from here) holds " + file;
        }
    }
}
