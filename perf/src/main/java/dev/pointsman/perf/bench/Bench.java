package dev.pointsman.perf.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Plays a schedule, and keeps what each run gave in a file of its own: a bench that was
/// interrupted goes on where it was.
final class Bench {
    private static final String OPTIONS = "JVM options of Pointsman";

    private final Suite suite;
    private final Map<String, String> machine;
    private final Path folder;
    private final PrintWriter progress;

    /// @param folder for all files
    Bench(Suite suite, Map<String, String> machine, Path folder, PrintWriter progress) {
        this.suite = suite;
        this.machine = machine;
        this.folder = folder;
        this.progress = progress;
    }

    /// Everything there is at the end, what earlier calls measured included.
    Results play(Schedule schedule) throws IOException, ResultsFile.Unreadable {
        Path runs = Files.createDirectories(folder.resolve("runs"));
        TreeMap<String, String> facts = new TreeMap<>();
        List<Figure> figures = new ArrayList<>();
        long begun = System.nanoTime();
        int played = 0;
        for (int i = 0; i < schedule.turns().size(); i++) {
            Schedule.Turn turn = schedule.turns().get(i);
            String which = "[%d/%d] %s".formatted(i + 1, schedule.turns().size(), turn.file());
            Path file = runs.resolve(turn.file() + ".json");
            if (isHopeless(turn, figures)) {
                progress.println(which + ": left out, as a smaller cluster took too long");
                continue;
            }
            if (Files.exists(file)) {
                progress.println(which + ": is there already");
            } else {
                ResultsFile.write(run(turn), file);
                played++;
            }
            Results run = ResultsFile.read(file);
            if (!run.suite().equals(suite.name())) {
                throw new ResultsFile.Unreadable(
                        file,
                        "is of suite \"%s\", not \"%s\"; give another folder with --out"
                                .formatted(run.suite(), suite.name()));
            }
            facts.putAll(run.machine());
            figures.addAll(run.figures());
            progress.println(
                    which + ": " + words(run.figures()) + left(begun, played, schedule, i));
        }
        return new Results(suite.name(), facts, figures);
    }

    private static boolean isHopeless(Schedule.Turn turn, List<Figure> figures) {
        return figures.stream()
                .filter(f -> f.metric() == Metric.FIRST_SYNC)
                .filter(f -> f.reading() instanceof Reading.Beyond)
                .map(Figure::cell)
                .anyMatch(
                        cell ->
                                Plot.Who.of(cell).equals(Plot.Who.of(turn.cell()))
                                        && cell.endpoints() <= turn.cell().endpoints());
    }

    private Results run(Schedule.Turn turn) throws IOException {
        TreeMap<String, String> facts = new TreeMap<>(machine);
        Path logs = folder.resolve("logs").resolve(turn.file());
        try (Run run = Run.prepare(turn.cell(), turn.round(), turn.proxy(), logs);
                AtExit _ = new AtExit(run)) {
            if (FirstSync.measure(run, suite)) {
                if (turn.proxy().name().equals(Proxy.POINTSMAN)) {
                    facts.put(OPTIONS, run.daemon().virtualMachineOptions());
                }
                ConnectLatency.measure(run);
                Changes.measure(run, suite);
                if (suite.isThorough(turn.cell().shape())) {
                    Restart.measure(run);
                    ScaleDown.measure(run, suite);
                    Updates.measure(run);
                    Wipe.measure(run, suite);
                }
            }
            return new Results(suite.name(), facts, run.figures());
        }
    }

    private static String words(List<Figure> figures) {
        List<String> words = new ArrayList<>();
        for (Metric metric : List.of(Metric.FIRST_SYNC, Metric.CHANGE, Metric.PEAK)) {
            List<Figure> of = figures.stream().filter(f -> f.metric() == metric).toList();
            if (!of.isEmpty()) {
                words.add(metric.title() + " " + Summary.text(metric, of));
            }
        }
        return String.join("; ", words);
    }

    /// Later runs are of larger clusters, so that this is a little less than it will be.
    private static String left(long begun, int played, Schedule schedule, int index) {
        int rest = schedule.turns().size() - index - 1;
        if (played == 0 || rest == 0) {
            return "";
        }
        long each = (System.nanoTime() - begun) / played;
        return " (at least " + Duration.ofNanos(each * rest).toSeconds() + " s left)";
    }
}
