package dev.pointsman.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.KernelTest;
import dev.pointsman.perf.ClusterShape;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/// One run of everything, in a small town: that it works, never how fast.
class BenchKernelTest {
    private static final Suite TINY =
            new Suite(
                    "tiny",
                    List.of(new ClusterShape(20, 4)),
                    1,
                    1,
                    6,
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(1));

    @TempDir Path folder;

    @KernelTest
    void measures_everything_of_a_real_proxy_and_leaves_nothing_behind() throws Exception {
        StringWriter progress = new StringWriter();
        Results results =
                new Bench(TINY, Map.of(), folder, new PrintWriter(progress, true))
                        .play(Schedule.of(TINY, List.of("nftables"), List.of(ours())));
        assertThat(results.figures())
                .extracting(Figure::metric)
                .containsExactlyInAnyOrderElementsOf(measurable());
        assertThat(results.figures()).noneMatch(f -> f.reading() instanceof Reading.Beyond);
        assertThat(results.figures())
                .filteredOn(f -> f.metric() == Metric.RESTART_WRITES)
                .extracting(Figure::middle)
                .containsExactly(0.0);
        assertThat(progress.toString()).startsWith("[1/1] nftables-20x4-pointsman-1: first sync ");
        try (Stream<Path> namespaces = Files.list(Path.of("/var/run/netns"))) {
            assertThat(namespaces.map(Path::getFileName).map(Path::toString))
                    .noneMatch(
                            name -> name.startsWith("pm-bench-" + ProcessHandle.current().pid()));
        }
    }

    /// Not every machine accounts the kernel's memory.
    private static Set<Metric> measurable() throws Exception {
        Set<Metric> metrics = EnumSet.allOf(Metric.class);
        Optional<ControlGroup> group = ControlGroup.make();
        if (group.isPresent()) {
            group.get().close();
        } else {
            metrics.remove(Metric.KERNEL);
        }
        return metrics;
    }

    /// From the class path of this test: what is built, and no launcher.
    private static Proxy ours() {
        return new Proxy(
                Proxy.POINTSMAN,
                List.of(
                        "env",
                        "CLASSPATH=" + System.getProperty("java.class.path"),
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "dev.pointsman.Main",
                        "run"));
    }
}
