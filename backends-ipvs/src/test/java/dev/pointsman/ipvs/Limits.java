package dev.pointsman.ipvs;

import dev.pointsman.packet.kernel.Miss;
import dev.pointsman.packet.scenario.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The table `ipvs-limits.txt`: which flows of which scenarios IPVS cannot treat as the oracle
/// wants. Each line has
///
/// ```
/// SCENARIO:LINE  model,kernel  REASON
/// ```
final class Limits {
    private static final String FILE = "/ipvs-limits.txt";
    private static final Pattern LINE =
            Pattern.compile("([a-z0-9-]+):(\\d+) +(model,kernel|kernel) +([a-z-]+)");

    /// What ends by itself some seconds after the last connection, which a slow machine may see.
    private static final String PASSING = "draining";

    /// Who answers otherwise.
    enum Witness {
        MODEL,
        KERNEL
    }

    private record Limit(String file, int line, Witness witness) {}

    private final Set<Limit> limits = new HashSet<>();
    private final Set<Limit> passing = new HashSet<>();
    private final Set<String> reasons = new HashSet<>();

    Limits() {
        try (InputStream in = Limits.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + FILE);
            }
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(this::read);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(String text) {
        Matcher words = LINE.matcher(text);
        if (!words.matches()) {
            throw new IllegalStateException(FILE + ": " + text);
        }
        String file = words.group(1) + ".scenario";
        int line = Integer.parseInt(words.group(2));
        limits.add(new Limit(file, line, Witness.KERNEL));
        if (words.group(3).startsWith("model")) {
            limits.add(new Limit(file, line, Witness.MODEL));
        }
        if (words.group(4).equals(PASSING)) {
            passing.add(new Limit(file, line, Witness.KERNEL));
        }
        reasons.add(words.group(4));
    }

    /// The lines of `scenario` that `witness` answers otherwise.
    Set<Integer> lines(Scenario scenario, Witness witness) {
        Set<Integer> lines = new HashSet<>();
        for (Limit limit : limits) {
            if (limit.witness() == witness && limit.file().equals(scenario.file())) {
                lines.add(limit.line());
            }
        }
        return lines;
    }

    Set<String> reasons() {
        return reasons;
    }

    /// What real packets did and is not listed, and what is listed and they did not.
    List<String> complaints(Scenario scenario, List<Miss> misses) {
        Set<Integer> listed = lines(scenario, Witness.KERNEL);
        List<String> complaints = new ArrayList<>();
        for (Miss miss : misses) {
            if (!listed.remove(miss.line())) {
                complaints.add(miss.toString());
            }
        }
        listed.removeIf(line -> passing.contains(new Limit(scenario.file(), line, Witness.KERNEL)));
        listed.forEach(
                line -> complaints.add(scenario.file() + ":" + line + " is listed, but not so"));
        return complaints;
    }
}
