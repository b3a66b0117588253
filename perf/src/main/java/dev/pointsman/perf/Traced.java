package dev.pointsman.perf;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What strace(1) saw the calling thread do.
///
/// @param calls of send(2) and recv(2), which is all that our netlink sockets do
/// @param processes that the thread started
record Traced(long calls, long processes) {

    /// Work takes much longer while it is watched.
    static Traced of(Runnable work) throws IOException, InterruptedException {
        Path log = Files.createTempFile("traced", ".log");
        try {
            Process strace =
                    new ProcessBuilder(
                                    "strace",
                                    "-s0",
                                    "-etrace=sendto,recvfrom,clone,clone3,fork,vfork",
                                    "-o" + log,
                                    "-p" + Path.of("/proc/thread-self").toRealPath().getFileName())
                            .start();
            try (BufferedReader says = strace.errorReader()) {
                String first = says.readLine();
                if (first == null || !first.endsWith("attached")) {
                    throw new IllegalStateException("strace does not watch: " + first);
                }
                work.run();
            } finally {
                strace.destroy();
                strace.waitFor();
            }
            return of(Files.readAllLines(log));
        } finally {
            Files.delete(log);
        }
    }

    private static Traced of(List<String> lines) {
        return new Traced(
                lines.stream()
                        .filter(line -> line.startsWith("sendto") || line.startsWith("recvfrom"))
                        .count(),
                lines.stream()
                        .filter(line -> line.matches("(clone|fork|vfork).*"))
                        .filter(line -> !line.contains("CLONE_THREAD"))
                        .count());
    }
}
