package dev.pointsman.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The table `kube-proxy-differences.txt`. Each line has
///
/// ```
/// flow     MODE SCENARIO always|sometimes FAULT ORIGIN SOURCE -> PROTOCOL ADDRESS:PORT
/// rules    MODE SCENARIO always|sometimes FAULT
/// refused  MODE SCENARIO always|sometimes FAULT
/// ```
///
/// where FAULT names a row of `docs/differences-from-kube-proxy.md`. What kube-proxy does only
/// `sometimes` hangs on the order in which a Go map is walked, or on the endpoint that chance
/// picks.
final class KnownDifferences {
    private static final String FILE = "/kube-proxy-differences.txt";
    private static final int COLUMNS = 6;

    private enum Frequency {
        ALWAYS,
        SOMETIMES
    }

    private final Map<Difference, Frequency> known = new LinkedHashMap<>();

    KnownDifferences() {
        try (InputStream in = KnownDifferences.class.getResourceAsStream(FILE)) {
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

    private void read(String line) {
        String[] words = line.split(" +", COLUMNS);
        ProxyMode mode = ProxyMode.valueOf(words[1].toUpperCase(Locale.ROOT));
        Fault fault = Fault.titled(words[4]);
        Difference difference =
                switch (words[0]) {
                    case "flow" -> new Difference.OfFlow(mode, words[2], words[5]);
                    case "rules" -> new Difference.OfRules(mode, words[2], fault);
                    case "refused" -> new Difference.Refused(mode, words[2]);
                    default -> throw new IllegalStateException(FILE + ": " + line);
                };
        Frequency frequency = Frequency.valueOf(words[3].toUpperCase(Locale.ROOT));
        if (known.put(difference, frequency) != null) {
            throw new IllegalStateException(FILE + " has twice: " + line);
        }
    }

    /// What was seen and is not listed, and what is listed and was not seen.
    ///
    /// @param seen all that there is of `mode` at `where`, each with what shows it
    List<String> complaints(ProxyMode mode, String where, Map<Difference, String> seen) {
        List<String> complaints = new ArrayList<>();
        seen.forEach(
                (difference, witness) -> {
                    if (!known.containsKey(difference)) {
                        complaints.add("not listed: " + difference + ": " + witness);
                    }
                });
        known.forEach(
                (difference, frequency) -> {
                    if (difference.mode() == mode
                            && difference.where().equals(where)
                            && frequency == Frequency.ALWAYS
                            && !seen.containsKey(difference)) {
                        complaints.add("listed, but it is not so: " + difference);
                    }
                });
        return complaints;
    }

    /// Every scenario that is named, and `shop`.
    Set<String> places() {
        return known.keySet().stream().map(Difference::where).collect(Collectors.toSet());
    }
}
