package dev.pointsman.perf.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What a process and its children take, from /proc.
record ProcessTree(ProcessHandle root) {
    private static final double KIBIBYTES_EACH = 1024;

    /// Of /proc/PID/stat (proc_pid_stat(5)), counted behind the name: user and system time of the
    /// process, and of its children that have ended.
    private static final List<Integer> CPU_FIELDS = List.of(11, 12, 13, 14);

    /// USER_HZ, which Linux shows to programs whatever it is set to inside.
    private static final double TICKS_A_SECOND = 100;

    /// Resident sets together, in MiB. A child that has not become another program yet has its
    /// parent's memory, which counts once.
    double resident() {
        Optional<String> program = root.info().command();
        return Stream.concat(
                        Stream.of(root),
                        root.descendants().filter(child -> !child.info().command().equals(program)))
                .mapToDouble(ProcessTree::resident)
                .sum();
    }

    private static double resident(ProcessHandle process) {
        return lines(process, "status").stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")))
                        .sum()
                / KIBIBYTES_EACH;
    }

    /// CPU time so far, in seconds.
    double cpu() {
        String stat = String.join("", lines(root, "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return CPU_FIELDS.stream().mapToDouble(field -> Double.parseDouble(fields[field])).sum()
                / TICKS_A_SECOND;
    }

    /// Nothing of a process that has ended.
    private static List<String> lines(ProcessHandle process, String file) {
        try {
            return Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), file));
        } catch (IOException _) {
            return List.of();
        }
    }
}
