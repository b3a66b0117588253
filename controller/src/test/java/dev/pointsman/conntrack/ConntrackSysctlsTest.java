package dev.pointsman.conntrack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.config.Conntrack;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import dev.pointsman.notice.Heard;
import dev.pointsman.notice.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A folder that stands for the root of a node with five processors and the kernel's own settings.
final class ConntrackSysctlsTest {
    private static final String ROWS = "sys/module/nf_conntrack/parameters/hashsize";
    private static final String PROCESSORS = "sys/devices/system/cpu/online";

    private static final Conntrack LEAVE =
            new Conntrack(
                    0,
                    131072,
                    Duration.ZERO,
                    Duration.ZERO,
                    Conntrack.OutOfWindow.AS_FOUND,
                    Duration.ZERO,
                    Duration.ZERO);

    @TempDir Path root;
    private Heard heard = new Heard();

    private static String setting(String name) {
        return "proc/sys/net/netfilter/nf_conntrack_" + name;
    }

    @BeforeEach
    void node() throws IOException {
        put(PROCESSORS, "0-3,8");
        put(ROWS, "65536");
        put(setting("max"), "262144");
        put(setting("tcp_timeout_established"), "432000");
        put(setting("tcp_timeout_close_wait"), "60");
        put(setting("tcp_be_liberal"), "0");
        put(setting("udp_timeout"), "30");
        put(setting("udp_timeout_stream"), "120");
    }

    private void put(String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text + "\n");
    }

    private String get(String file) throws IOException {
        return Files.readString(root.resolve(file)).strip();
    }

    private List<String> apply(Conntrack settings) {
        heard = new Heard();
        new ConntrackSysctls(root, heard).apply(settings);
        return heard.lines();
    }

    /// Files in a folder can be read in any way, those of the kernel cannot.
    @KernelTest(tools = "conntrack")
    void what_the_kernel_has_is_not_set_again() throws Exception {
        Conntrack timeout =
                new Conntrack(
                        0,
                        0,
                        Duration.ofHours(7),
                        Duration.ZERO,
                        Conntrack.OutOfWindow.AS_FOUND,
                        Duration.ZERO,
                        Duration.ZERO);
        root = Path.of("/");
        try (TestNamespace node = TestNamespace.create()) {
            assertThat(node.namespace().call(() -> apply(timeout)))
                    .containsExactly(
                            "conntrack: set /" + setting("tcp_timeout_established") + " to 25200");
            assertThat(node.namespace().call(() -> apply(timeout))).isEmpty();
        }
    }

    @Test
    void the_defaults_are_set_once() throws IOException {
        assertThat(apply(Conntrack.DEFAULTS))
                .containsExactly(
                        "conntrack: set " + root.resolve(setting("max")) + " to 163840",
                        "conntrack: set "
                                + root.resolve(setting("tcp_timeout_established"))
                                + " to 86400",
                        "conntrack: set "
                                + root.resolve(setting("tcp_timeout_close_wait"))
                                + " to 3600");
        assertThat(get(setting("max"))).isEqualTo("163840");
        assertThat(get(ROWS)).as("rows are never taken away").isEqualTo("65536");
        assertThat(get(setting("udp_timeout"))).isEqualTo("30");
        assertThat(apply(Conntrack.DEFAULTS)).isEmpty();
    }

    @Test
    void everything_can_be_set() throws IOException {
        assertThat(
                        apply(
                                new Conntrack(
                                        1,
                                        1_000_000,
                                        Duration.ofMinutes(2),
                                        Duration.ofMinutes(3),
                                        Conntrack.OutOfWindow.ACCEPTED,
                                        Duration.ofSeconds(4),
                                        Duration.ofSeconds(5))))
                .hasSize(7);
        assertThat(get(setting("max"))).isEqualTo("1000000");
        assertThat(get(ROWS)).isEqualTo("250000");
        assertThat(get(setting("tcp_timeout_established"))).isEqualTo("120");
        assertThat(get(setting("tcp_timeout_close_wait"))).isEqualTo("180");
        assertThat(get(setting("tcp_be_liberal"))).isEqualTo("1");
        assertThat(get(setting("udp_timeout"))).isEqualTo("4");
        assertThat(get(setting("udp_timeout_stream"))).isEqualTo("5");
    }

    @Test
    void zero_leaves_what_is_there() {
        assertThat(apply(LEAVE)).isEmpty();
    }

    /// A folder cannot be written as a file, whoever tries.
    @Test
    void what_cannot_be_set_is_named_with_a_remedy_and_the_rest_is_set() throws IOException {
        for (String file : List.of(ROWS, setting("udp_timeout"))) {
            Files.delete(root.resolve(file));
            Files.createDirectory(root.resolve(file));
        }
        Files.delete(root.resolve(PROCESSORS));
        List<String> said =
                apply(
                        new Conntrack(
                                1,
                                0,
                                Duration.ZERO,
                                Duration.ZERO,
                                Conntrack.OutOfWindow.AS_FOUND,
                                Duration.ofSeconds(4),
                                Duration.ofSeconds(5)));
        assertThat(said).hasSize(3);
        assertThat(heard.reasons())
                .containsExactly(Reason.CONNTRACK_NOT_SET, Reason.CONNTRACK_NOT_SET);
        assertThat(said.get(0)).contains("conntrack.maxPerCore: 0", PROCESSORS);
        assertThat(said.get(1))
                .startsWith(
                        "conntrack: "
                                + root.resolve(setting("udp_timeout"))
                                + " cannot be set to 4: ")
                .contains("`sysctl -w net.netfilter.nf_conntrack_udp_timeout=4`");
        assertThat(said.get(2)).endsWith("udp_timeout_stream to 5");
        put(PROCESSORS, "0");
        assertThat(apply(Conntrack.DEFAULTS).get(1))
                .contains(ROWS, "mount /sys writable", "echo 32768");
    }

    @Test
    void a_kernel_without_conntrack_is_said_once() throws IOException {
        Files.delete(root.resolve(setting("max")));
        assertThat(apply(Conntrack.DEFAULTS))
                .singleElement()
                .asString()
                .contains("modprobe nf_conntrack");
    }
}
