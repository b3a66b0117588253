package dev.pointsman.packet.scenario;

import dev.pointsman.graph.HealthCheck;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Reads the text form of scenarios, which the package's documentation gives.
public final class ScenarioReader {
    private final String file;
    private final List<Scenario.Step> steps = new ArrayList<>();

    // The block being read. Its facts end where its expectations begin.
    private int blockLine;
    private final FactReader facts = new FactReader();
    private final List<Expectation> expectations = new ArrayList<>();

    private ScenarioReader(String file) {
        this.file = file;
    }

    /// Reads one file.
    ///
    /// @throws IllegalArgumentException naming file, line, what was expected and what was found
    public static Scenario read(Path path) throws IOException {
        return read(path.getFileName().toString(), Files.readString(path));
    }

    /// As [#read(Path)], from `text`.
    public static Scenario read(String file, String text) {
        return new ScenarioReader(file).scenario(text.lines().toList());
    }

    private Scenario scenario(List<String> lines) {
        if (lines.isEmpty() || !lines.getFirst().startsWith("# ")) {
            throw new IllegalArgumentException(
                    file + ":1: expected a comment that says what the scenario shows");
        }
        boolean ended = false;
        for (int i = 0; i < lines.size(); i++) {
            Words words = new Words(file, i + 1, lines.get(i));
            if (words.isEmpty()) {
                continue;
            }
            if (ended) {
                throw words.wrong("nothing after \"empty\"", words.next("a statement"));
            }
            if (words.nextIs("empty")) {
                words.next("empty");
                words.end();
                ended = true;
            } else {
                statement(words);
            }
        }
        if (!ended) {
            throw new IllegalArgumentException(
                    file + ":" + lines.size() + ": expected \"empty\" as the last statement");
        }
        endBlock();
        return new Scenario(file, lines.getFirst().substring(2), steps);
    }

    private void statement(Words words) {
        String keyword = words.next("a statement");
        switch (keyword) {
            case "flow" -> expectations.add(flow(words));
            case "health" -> expectations.add(health(words));
            case "then" -> {
                if (!expectations.isEmpty()) {
                    endBlock();
                }
                fact(words, words.next("a statement after \"then\""), !steps.isEmpty());
            }
            default -> fact(words, keyword, steps.isEmpty() && expectations.isEmpty());
        }
    }

    private void fact(Words words, String keyword, boolean allowedHere) {
        if (!allowedHere) {
            throw words.wrong(
                    "\"then\" before each statement below the first \"flow\" or \"health\", and"
                            + " nowhere else",
                    keyword);
        }
        if (blockLine == 0) {
            blockLine = words.number();
        }
        facts.read(keyword, words);
    }

    private void endBlock() {
        steps.add(new Scenario.Step(blockLine, facts.take(), expectations));
        expectations.clear();
        blockLine = 0;
    }

    private static Expectation flow(Words words) {
        String origin = words.next("pod, host or outside");
        Flow.Origin from =
                switch (origin) {
                    case "pod" -> Flow.Origin.POD;
                    case "host" -> Flow.Origin.HOST;
                    case "outside" -> Flow.Origin.OUTSIDE;
                    default -> throw words.wrong("pod, host or outside", origin);
                };
        var source = words.address(words.next("the source address"));
        expect(words, "->");
        var protocol = words.protocol();
        Words.Target to = words.target(words.next("ADDRESS:PORT"));
        expect(words, "=");
        Flow flow =
                words.parsed("", _ -> new Flow(from, protocol, source, to.address(), to.port()));
        return outcomes(words, flow);
    }

    private static Expectation outcomes(Words words, Flow flow) {
        SortedSet<Outcome> outcomes = new TreeSet<>();
        List<Words.Target> withoutSource = new ArrayList<>();
        Expectation.Choice choice = Expectation.Choice.FREE;
        do {
            String word = words.next("an outcome");
            String item = word.endsWith(",") ? word.substring(0, word.length() - 1) : word;
            switch (item) {
                case "drop" -> outcomes.add(new Outcome.Dropped());
                case "reject" -> outcomes.add(new Outcome.Rejected());
                case "untouched" -> outcomes.add(new Outcome.Untouched());
                case "source=kept" -> deliver(withoutSource, Outcome.Source.KEPT, outcomes);
                case "source=node" -> deliver(withoutSource, Outcome.Source.NODE, outcomes);
                case "sticky" -> choice = Expectation.Choice.STICKY;
                default -> withoutSource.add(words.target(item));
            }
        } while (!words.isEmpty());
        if (!withoutSource.isEmpty()) {
            throw words.wrong("source=kept or source=node after the endpoints", "none");
        }
        return new Expectation.Ends(words.number(), flow, outcomes, choice);
    }

    private static void deliver(
            List<Words.Target> endpoints, Outcome.Source source, SortedSet<Outcome> outcomes) {
        for (Words.Target endpoint : endpoints) {
            outcomes.add(new Outcome.Delivered(endpoint.address(), endpoint.port(), source));
        }
        endpoints.clear();
    }

    private static Expectation health(Words words) {
        ServiceName service = words.service();
        expect(words, "=");
        String port = words.next("a port or none");
        if (port.equals("none")) {
            words.end();
            return new Expectation.Unchecked(words.number(), service);
        }
        String ready = words.next("ready=COUNT");
        words.end();
        if (!ready.startsWith("ready=")) {
            throw words.wrong("ready=COUNT", ready);
        }
        return new Expectation.Checked(
                words.number(),
                service,
                new HealthCheck(
                        words.number(port, 1, 65535),
                        words.number(ready.substring("ready=".length()), 0, 1_000_000)));
    }

    private static void expect(Words words, String word) {
        String found = words.next("\"" + word + "\"");
        if (!found.equals(word)) {
            throw words.wrong("\"" + word + "\"", found);
        }
    }
}
