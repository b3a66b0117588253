package dev.pointsman.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.KernelTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.io.TempDir;

/// No file, socket or process can be opened any more: the rules stay, it is said, and once there
/// are descriptors again all is made up for.
class DescriptorsTest {
    /// Standard input and output have these; all others are in use already.
    private static final int NONE_LEFT = 3;

    private static final int ENOUGH = 1024;

    @TempDir Path folder;

    @KernelTest(tools = {"nft", "prlimit"})
    void in_mode_nftables() throws Exception {
        check("nftables");
    }

    @KernelTest(tools = {"iptables", "iptables-restore", "ip6tables-restore", "prlimit"})
    void in_mode_iptables() throws Exception {
        check("iptables");
    }

    /// The class path as it is where people run Pointsman: a JVM keeps a jar open, and opens a file
    /// for each class of a folder.
    private String jars() {
        List<String> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(":", -1)) {
            if (Files.isDirectory(Path.of(entry))) {
                String jar = folder.resolve("part-" + path.size() + ".jar").toString();
                ToolProvider.findFirst("jar")
                        .orElseThrow()
                        .run(System.out, System.err, "-c", "-f", jar, "-C", entry, ".");
                path.add(jar);
            } else {
                path.add(entry);
            }
        }
        return String.join(":", path);
    }

    private void check(String mode) throws Exception {
        try (Crossing crossing = Crossing.create(folder);
                UdpFlows flows = new UdpFlows(crossing)) {
            List<String> pods = Crossing.podAddresses();
            crossing.endpoints(pods.subList(0, 1));
            RunProcess run = crossing.run(mode, Map.of("CLASSPATH", jars()));
            run.await("IPv6: brought up to date");
            run.descriptors(NONE_LEFT);
            crossing.endpoints(pods.subList(1, 2));
            run.await("the files are not used as they are");
            assertThat(flows.stickyAnswerers(40_000).values()).containsOnly(pods.get(0));

            run.descriptors(ENOUGH);
            run.await("IPv4: changed");
            assertThat(flows.stickyAnswerers(40_001).values()).containsOnly(pods.get(1));
            assertThat(run.end()).isZero();
        }
    }
}
