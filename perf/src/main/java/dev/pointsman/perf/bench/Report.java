package dev.pointsman.perf.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What a suite leaves in its folder: the figures as JSON, the curves as PNG, and the page.
final class Report {
    static final String FIGURES = "results.json";
    static final String PAGE = "report.html";

    private Report() {}

    static void write(Results results, Path folder) throws IOException {
        ResultsFile.write(results, folder.resolve(FIGURES));
        List<Plot> curves = Curves.of(results);
        for (Plot curve : curves) {
            Files.write(folder.resolve(curve.name() + ".png"), curve.png());
        }
        Files.writeString(folder.resolve(PAGE), Page.of(results, curves));
    }
}
