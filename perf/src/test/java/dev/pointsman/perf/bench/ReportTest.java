package dev.pointsman.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @TempDir static Path folder;
    private static String page = "";

    @BeforeAll
    static void write() throws IOException {
        Report.write(
                Samples.results(
                        List.of(
                                Samples.figures(
                                        Metric.FIRST_SYNC,
                                        Samples.cell(100, Proxy.POINTSMAN),
                                        100,
                                        100),
                                Samples.figures(
                                        Metric.FIRST_SYNC,
                                        Samples.cell(400, Proxy.POINTSMAN),
                                        200,
                                        200),
                                Samples.figures(
                                        Metric.FIRST_SYNC,
                                        Samples.cell(1_600, Proxy.POINTSMAN),
                                        400,
                                        400),
                                Samples.figures(
                                        Metric.FIRST_SYNC,
                                        Samples.cell(1_600, Proxy.KUBE_PROXY),
                                        2_000,
                                        2_010),
                                Samples.figures(
                                        Metric.LATE, Samples.cell(1_600, Proxy.POINTSMAN), 0),
                                Samples.figures(
                                        Metric.LOST, Samples.cell(1_600, Proxy.POINTSMAN), 3),
                                List.of(
                                        new Figure(
                                                Metric.WIPED,
                                                Samples.cell(1_600, Proxy.KUBE_PROXY),
                                                1,
                                                new Reading.Beyond(5_000))))),
                folder);
        page = Files.readString(folder.resolve(Report.PAGE));
    }

    @Test
    void needs_no_other_file() {
        assertThat(page)
                .contains("src=\"data:image/png;base64,")
                .doesNotContain("src=\"http", "href=", "<script");
    }

    @Test
    void says_how_the_proxies_compare_and_where_one_never_came_back() {
        assertThat(page)
                .contains(
                        "<td>first sync</td><td>400 ms</td><td>2,005 ms (2,000–2,010)</td><td>5.01</td>")
                .contains("<td>rules wiped</td><td>–</td><td>not within 5,000 ms</td>");
    }

    /// Four times the endpoints, twice the time.
    @Test
    void says_how_the_first_sync_grows() {
        assertThat(page).contains("<td>≤ 1.1</td><td>all sizes</td><td>0.50</td>");
    }

    @Test
    void holds_each_promise_against_what_was_measured() {
        assertThat(row("to an endpoint removed 50 ms before")).endsWith("<td>kept</td>");
        assertThat(row("connections lost during scale-downs")).endsWith("<td>missed</td>");
        assertThat(row("at 10000x5")).endsWith("<td>not measured at this size</td>");
    }

    private static String row(String words) {
        return page.lines()
                .filter(line -> line.contains(words))
                .map(line -> line.replace("</tr>", ""))
                .findFirst()
                .orElse("no row");
    }

    @Test
    void names_machine_and_commit() {
        assertThat(page)
                .contains(
                        "<td>kernel</td><td>Linux 6.18</td>",
                        "<td>commit</td><td>0123456789ab</td>");
    }

    @Test
    void draws_the_curves_that_have_figures_and_no_others() throws IOException {
        BufferedImage curve = ImageIO.read(folder.resolve("first-sync.png").toFile());
        assertThat(colours(curve)).as("something is drawn").isGreaterThan(10);
        assertThat(folder.resolve("change.png")).doesNotExist();
    }

    private static long colours(BufferedImage image) {
        return Arrays.stream(
                        image.getRGB(
                                0,
                                0,
                                image.getWidth(),
                                image.getHeight(),
                                null,
                                0,
                                image.getWidth()))
                .distinct()
                .count();
    }

    @Test
    void text_from_outside_stays_text() {
        assertThat(Html.table("<b>").row("a & \"b\"").toString())
                .contains("<th>&lt;b&gt;</th>", "<td>a &amp; &quot;b&quot;</td>");
    }
}
