package dev.pointsman.perf.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Results as one page of HTML that needs no other file.
final class Page {
    private final Results results;

    private Page(Results results) {
        this.results = results;
    }

    static String of(Results results, List<Plot> curves) throws IOException {
        Page page = new Page(results);
        StringBuilder body = new StringBuilder();
        body.append("<h2>Promises</h2>\n").append(page.promises());
        body.append("<h2>Curves</h2>\n");
        for (Plot curve : curves) {
            body.append(
                    "<p><img alt=\"%s\" src=\"data:image/png;base64,%s\"></p>\n"
                            .formatted(
                                    Html.escaped(curve.title()),
                                    Base64.getEncoder().encodeToString(curve.png())));
        }
        body.append("<h2>Side by side</h2>\n").append(page.sideBySide());
        body.append("<h2>What was measured</h2>\n").append(page.meanings());
        body.append("<h2>Machine</h2>\n").append(page.machine());
        return framed(Html.escaped(results.suite()), body.toString());
    }

    private static String framed(String suite, String body) {
        return """
               <!DOCTYPE html>
               <html lang="en">
               <head>
               <meta charset="utf-8">
               <meta name="viewport" content="width=device-width, initial-scale=1">
               <title>pointsman bench: %1$s</title>
               <style>
               body { font: 15px/1.5 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; color: #222; }
               h1, h2, h3 { line-height: 1.2; margin-top: 1.6em; }
               table { border-collapse: collapse; margin: 1em 0; display: block; overflow-x: auto; }
               th, td { text-align: left; padding: .3em .8em; border-bottom: 1px solid #ddd; vertical-align: top; }
               th { border-bottom: 2px solid #888; }
               img { max-width: 100%%; }
               </style>
               </head>
               <body>
               <h1>pointsman bench, suite %1$s</h1>
               <p>Runs of the proxies were interleaved on this machine. A figure is the median of its runs, with the least and the most
               in brackets. <em>Times</em> is how many times Pointsman's figure kube-proxy's is, where the two lie further apart than
               runs of the same proxy do.</p>
               %2$s
               </body>
               </html>
               """
                .formatted(suite, body);
    }

    private Html promises() {
        Html table =
                Html.table(
                        "",
                        "promise",
                        "mode",
                        "target",
                        "measured at",
                        "Pointsman",
                        "kube-proxy",
                        "");
        Stream.concat(standings().stream(), growths().stream())
                .sorted(Comparator.comparingInt(row -> Integer.parseInt(row.getFirst())))
                .forEach(row -> table.row(row.toArray(String[]::new)));
        return table;
    }

    private List<List<String>> standings() {
        List<List<String>> rows = new ArrayList<>();
        for (Promise promise : Promise.ALL_OF_THEM) {
            for (String mode : promise.modes()) {
                nearest(promise, mode).ifPresent(cell -> rows.add(standing(promise, cell)));
            }
        }
        return rows;
    }

    private List<String> standing(Promise promise, Cell cell) {
        return List.of(
                String.valueOf(promise.number()),
                promise.words(),
                cell.mode(),
                promise.target(),
                cell.scale(),
                text(promise.metric(), cell),
                text(promise.metric(), besides(cell)),
                promise.standing(cell, results.of(promise.metric(), cell)).words());
    }

    /// Where the promised cluster was not measured, the largest that was.
    private Optional<Cell> nearest(Promise promise, String mode) {
        return results.of(promise.metric()).keySet().stream()
                .filter(cell -> cell.mode().equals(mode) && cell.proxy().equals(Proxy.POINTSMAN))
                .max(
                        Comparator.comparing((Cell cell) -> cell.shape().equals(promise.shape()))
                                .thenComparingInt(Cell::endpoints));
    }

    private List<List<String>> growths() {
        List<List<String>> rows = new ArrayList<>();
        for (String mode : modes()) {
            growth(mode, Proxy.POINTSMAN)
                    .ifPresent(
                            fit ->
                                    rows.add(
                                            List.of(
                                                    "3",
                                                    "growth of the first sync with endpoints, exponent",
                                                    mode,
                                                    "≤ 1.1",
                                                    "all sizes",
                                                    fit.text(),
                                                    growth(mode, Proxy.KUBE_PROXY)
                                                            .map(Fit::text)
                                                            .orElse("–"),
                                                    fit.exponent() <= 1.1
                                                            ? Promise.Standing.KEPT.words()
                                                            : Promise.Standing.MISSED.words())));
        }
        return rows;
    }

    private Optional<Fit> growth(String mode, String proxy) {
        return Fit.of(results.curve(Metric.FIRST_SYNC, new Plot.Who(mode, proxy)));
    }

    private SortedSet<String> modes() {
        return results.cells().stream()
                .map(Cell::mode)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private String sideBySide() {
        StringBuilder text = new StringBuilder();
        for (Cell cell : results.cells()) {
            if (cell.proxy().equals(Proxy.POINTSMAN)) {
                text.append("<h3>%s, %s</h3>\n".formatted(Html.escaped(cell.mode()), cell.scale()))
                        .append(beside(cell));
            }
        }
        return text.toString();
    }

    private Html beside(Cell ours) {
        Html table = Html.table("", "Pointsman", "kube-proxy", "times");
        for (Metric metric : Metric.values()) {
            List<Figure> figures = results.of(metric, ours);
            List<Figure> others = results.of(metric, besides(ours));
            if (!figures.isEmpty() || !others.isEmpty()) {
                table.row(
                        metric.title(),
                        Summary.text(metric, figures),
                        Summary.text(metric, others),
                        times(figures, others));
            }
        }
        return table;
    }

    private static String times(List<Figure> ours, List<Figure> others) {
        if (ours.isEmpty() || others.isEmpty()) {
            return "";
        }
        Comparison.Row row =
                new Comparison.Row(
                        ours.getFirst().metric(),
                        ours.getFirst().cell(),
                        Range.of(ours),
                        Range.of(others));
        return switch (row.verdict()) {
            case LOWER, HIGHER ->
                    Double.isFinite(row.ratio())
                            ? (isOpen(others) ? "more than " : "") + Range.number(row.ratio())
                            : "";
            case WITHIN_SPREAD, TOO_FEW_RUNS -> row.verdict().words();
        };
    }

    /// Whether nobody waited until the end.
    private static boolean isOpen(List<Figure> figures) {
        return figures.stream().anyMatch(f -> f.reading() instanceof Reading.Beyond);
    }

    private static Cell besides(Cell ours) {
        return new Cell(ours.mode(), ours.shape(), Proxy.KUBE_PROXY);
    }

    private String text(Metric metric, Cell cell) {
        return Summary.text(metric, results.of(metric, cell));
    }

    private Html meanings() {
        Html table = Html.table("metric", "is");
        Arrays.stream(Metric.values())
                .filter(metric -> !results.of(metric).isEmpty())
                .forEach(metric -> table.row(metric.title(), metric.means()));
        return table;
    }

    private Html machine() {
        Html table = Html.table("", "");
        results.machine().forEach(table::row);
        return table;
    }
}
