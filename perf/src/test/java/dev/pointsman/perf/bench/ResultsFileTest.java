package dev.pointsman.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsFileTest {
    @TempDir Path folder;

    @Test
    void everything_comes_back() throws Exception {
        Results results =
                Samples.results(
                        List.of(
                                Samples.figures(Metric.FIRST_SYNC, Samples.OURS, 812.5, 790),
                                List.of(
                                        new Figure(
                                                Metric.WIPED,
                                                Samples.THEIRS,
                                                1,
                                                new Reading.Beyond(5_000)),
                                        Samples.times(
                                                Metric.CHANGE,
                                                Samples.OURS,
                                                1_000_000,
                                                3_000_000))));
        Path file = folder.resolve("results.json");
        ResultsFile.write(results, file);
        assertThat(ResultsFile.read(file)).isEqualTo(results);
    }

    /// For those who read the file with their own eyes, or jq.
    @Test
    void times_are_there_as_percentiles_in_the_unit_of_their_metric() throws Exception {
        Path file = folder.resolve("results.json");
        ResultsFile.write(
                Samples.results(
                        List.of(
                                List.of(
                                        Samples.times(
                                                Metric.CHANGE,
                                                Samples.OURS,
                                                1_000_000,
                                                3_000_000)))),
                file);
        assertThat(Files.readString(file))
                .contains("\"count\" : 2", "\"unit\" : \"ms\"")
                .containsPattern("\"max\" : 3\\.00");
    }

    @Test
    void a_file_that_is_none_names_itself_the_line_and_what_to_give() throws Exception {
        Path file = Files.writeString(folder.resolve("odd.json"), "{\n  \"kind\": oops\n}");
        assertThatThrownBy(() -> ResultsFile.read(file))
                .hasMessageStartingWith(file + ": line 2: ")
                .hasMessageEndingWith("give the results.json that `pointsman bench` wrote");
    }

    @Test
    void another_kind_of_json_is_refused() throws Exception {
        Path file = Files.writeString(folder.resolve("list.json"), "{\"kind\": \"List\"}");
        assertThatThrownBy(() -> ResultsFile.read(file))
                .hasMessageContaining(file.toString())
                .hasMessageContaining("whose kind is BenchResults");
    }

    @Test
    void a_metric_of_another_version_is_refused_by_name() throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("future.json"),
                        """
                        {"apiVersion": "bench.pointsman.dev/v1", "kind": "BenchResults",
                         "figures": [{"metric": "warp", "value": 9}]}
                        """);
        assertThatThrownBy(() -> ResultsFile.read(file))
                .hasMessageContaining(file + ": no such metric: \"warp\"");
    }
}
