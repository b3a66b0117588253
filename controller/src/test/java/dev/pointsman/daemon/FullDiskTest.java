package dev.pointsman.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.KernelTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/// The folder for temporary files is full: rules go in all the same.
class FullDiskTest {
    @TempDir Path folder;

    @KernelTest(tools = {"iptables", "iptables-restore", "ip6tables-restore", "mount"})
    void in_mode_iptables() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        call("mount", "-t", "tmpfs", "-o", "size=4m,nr_inodes=64", "none", disk.toString());
        try (Crossing crossing = Crossing.create(folder);
                UdpFlows flows = new UdpFlows(crossing)) {
            List<String> pods = Crossing.podAddresses();
            crossing.endpoints(pods.subList(0, 1));
            RunProcess run =
                    crossing.run(
                            "iptables",
                            Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + disk),
                            "-v",
                            "2");
            run.await("IPv6: brought up to date");
            fill(disk);
            crossing.endpoints(pods.subList(1, 2));
            run.await("IPv4: changed");
            assertThat(flows.stickyAnswerers(40_000).values()).containsOnly(pods.get(1));
            assertThat(run.end()).isZero();
        } finally {
            call("umount", disk.toString());
        }
    }

    /// Until no file can be made there any more.
    private static void fill(Path disk) {
        boolean full = false;
        for (int i = 0; !full; i++) {
            try {
                Files.createFile(disk.resolve("file-" + i));
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("No space left on device");
                full = true;
            }
        }
    }

    private static void call(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
