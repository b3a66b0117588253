package dev.pointsman.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchCommandTest {
    @TempDir Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void an_unknown_suite_names_those_there_are() {
        assertThat(run("tiny")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("error: no suite \"tiny\"; give one of [full, small]");
    }

    @Test
    void an_unknown_mode_names_those_there_are() {
        assertThat(run("--mode", "ebpf")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith(
                        "error: --mode: no mode \"ebpf\"; give one of [nftables, iptables, ipvs]");
    }

    @Test
    void a_scale_that_is_none_shows_one() {
        assertThat(run("--scale", "1000")).isEqualTo(2);
        assertThat(err.toString()).startsWith("error: --scale: \"1000\" is no").contains("1000x5");
    }

    @Test
    void a_scale_beyond_the_address_ranges_says_so() {
        assertThat(run("--scale", "500000x5000")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("error: --scale: 500000 Services with 5000 endpoints");
    }

    @Test
    void a_kube_proxy_that_is_not_there_says_how_to_get_one() {
        assertThat(run("--kube-proxy", "/nonexistent")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith(
                        "error: --kube-proxy: /nonexistent is no program; perf/peers/kube-peers");
    }

    @Test
    void results_are_compared_as_a_table() throws Exception {
        assertThat(run("compare", results("a", 100, 104), results("b", 50, 52))).isZero();
        assertThat(out.toString())
                .contains("first-sync   nftables   1000x5   pointsman")
                .containsPattern("102 ms \\(100–104\\) +51 ms \\(50–52\\) +0\\.50 +lower");
    }

    @Test
    void results_are_compared_as_json() throws Exception {
        assertThat(run("compare", "-o", "json", results("a", 100), results("b", 50))).isZero();
        assertThat(out.toString())
                .contains("\"metric\" : \"first-sync\"", "\"ratio\" : 0.5", "\"too few runs\"");
    }

    @Test
    void a_missing_file_is_named() throws Exception {
        String there = results("a", 100);
        String missing = folder.resolve("missing.json").toString();
        assertThat(run("compare", there, missing)).isEqualTo(2);
        assertThat(err.toString()).startsWith("error: " + missing + ": there is no such file");
    }

    private String results(String name, double... millis) throws Exception {
        Path file = folder.resolve(name + ".json");
        ResultsFile.write(
                Samples.results(List.of(Samples.figures(Metric.FIRST_SYNC, Samples.OURS, millis))),
                file);
        return file.toString();
    }

    private int run(String... arguments) {
        CommandLine line = BenchCommand.line(folder, InstantSource.system());
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }
}
