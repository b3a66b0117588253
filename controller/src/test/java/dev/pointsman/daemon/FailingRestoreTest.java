package dev.pointsman.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.KernelTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/// `iptables-restore` fails, in every way in which a process can, and so does the first repair,
/// both times that it tries; a later one ends as if nothing had happened.
class FailingRestoreTest {
    /// @param runs that fail, one after the other
    /// @param failures that are said: a change that fails, be it half done, is repaired at once,
    ///   without a word, and so is a repair that fails; one that fails twice is tried again a
    ///   second later
    private record Fault(String kind, int runs, int failures) {}

    private static final List<Fault> FAULTS =
            List.of(
                    new Fault("1", 3, 1),
                    new Fault("4", 3, 1),
                    new Fault("killed", 3, 1),
                    new Fault("half", 1, 0));

    @TempDir Path folder;

    @KernelTest(tools = {"iptables-restore", "ip6tables-restore"})
    void rules_are_as_if_nothing_had_failed() throws Exception {
        Path programs = Files.createDirectory(folder.resolve("programs"));
        Path fault = Files.createFile(folder.resolve("fault"));
        for (String program : List.of("iptables", "ip6tables")) {
            for (String variant : List.of("-nft-restore", "-legacy-restore")) {
                script(programs.resolve(program + variant), program(fault));
            }
        }
        try (Crossing crossing = Crossing.create(folder)) {
            String path = programs + ":" + System.getenv("PATH");
            RunProcess run = crossing.run("iptables", Map.of("PATH", path));
            run.await("IPv6: brought up to date");
            int changes = 0;
            int failures = 0;
            for (Fault each : FAULTS) {
                Files.writeString(fault, (each.kind() + "\n").repeat(each.runs()));
                changes++;
                failures += each.failures();
                // The last one leaves none, which is a change in two tables.
                int pods = changes % FAULTS.size();
                crossing.endpoints(Crossing.podAddresses().subList(0, pods));
                run.await("; repair in ", failures);
                run.await("IPv4: brought up to date", 1 + changes);
                assertThat(Files.size(fault)).isZero();
                RunProcess check = crossing.run("iptables", "--once");
                assertThat(check.exitCode()).as(check.said()).isZero();
                assertThat(check.said())
                        .as(each.kind())
                        .contains("IPv4: the kernel already holds all");
            }
            assertThat(run.said()).contains("was killed").doesNotContain("set aside");
        }
    }

    /// A program in the place of `iptables-restore`. What fails is in the file `fault`, one line
    /// for each run that shall fail; not those that only try rules out.
    private static String program(Path fault) {
        return """
                #!/bin/sh
                input=$(cat)
                restore() { printf '%%s\\n' "$input" | "/usr/sbin/$(basename "$0")" "$@"; }
                fault=$(head -n 1 %1$s)
                case $fault$input in
                  *KUBE-TRIAL*) fault= ;;
                  *) sed -i 1d %1$s ;;
                esac
                case $fault in
                  '') restore "$@" ;;
                  1) echo 'iptables-restore: Memory allocation problem' >&2; exit 1 ;;
                  4) echo 'iptables-restore: RULE_APPEND failed (Out of memory)' >&2; exit 4 ;;
                  killed) kill -9 $$ ;;
                  half) input=$(printf '%%s\\n' "$input" | sed /COMMIT/q); restore "$@"; kill -9 $$ ;;
                esac
                """
                .formatted(fault);
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
