package dev.pointsman.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is there already is not measured again. The proxy of these cannot be started, so that a run
/// would fail.
class BenchTest {
    private static final Proxy NONE = new Proxy(Proxy.POINTSMAN, List.of("/nonexistent"));
    private static final Suite SUITE =
            new Suite(
                    "test",
                    List.of(Samples.cell(10, "").shape(), Samples.cell(20, "").shape()),
                    1,
                    1,
                    1,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1));

    @TempDir Path folder;
    private final StringWriter progress = new StringWriter();

    @Test
    void a_run_that_left_its_file_is_not_run_again() throws Exception {
        there("test", 10, new Reading.Exact(5));
        there("test", 20, new Reading.Exact(7));
        assertThat(play().figures()).extracting(Figure::middle).containsExactly(5.0, 7.0);
    }

    @Test
    void larger_clusters_are_left_out_after_one_that_took_too_long() throws Exception {
        there("test", 10, new Reading.Beyond(1_000));
        assertThat(play().figures()).hasSize(1);
        assertThat(progress.toString()).contains("[2/2] nftables-20x5-pointsman-1: left out");
    }

    @Test
    void a_folder_of_another_suite_is_refused() throws Exception {
        there("full", 10, new Reading.Exact(5));
        assertThatThrownBy(this::play)
                .isInstanceOf(ResultsFile.Unreadable.class)
                .hasMessageContaining("nftables-10x5-pointsman-1.json")
                .hasMessageContaining("give another folder with --out");
    }

    private void there(String suite, int services, Reading reading) throws Exception {
        Cell cell = Samples.cell(services, Proxy.POINTSMAN);
        Path runs = Files.createDirectories(folder.resolve("runs"));
        ResultsFile.write(
                new Results(
                        suite, Map.of(), List.of(new Figure(Metric.FIRST_SYNC, cell, 1, reading))),
                runs.resolve(new Schedule.Turn(cell, 1, NONE).file() + ".json"));
    }

    private Results play() throws Exception {
        return new Bench(SUITE, Map.of(), folder, new PrintWriter(progress, true))
                .play(Schedule.of(SUITE, List.of("nftables"), List.of(NONE)));
    }
}
