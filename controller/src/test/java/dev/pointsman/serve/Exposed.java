package dev.pointsman.serve;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A metric as a page in Prometheus' text format shows it.
///
/// @param labels those of a sample that are no part of its value
/// @param samples names of its series, such as those that end in `_bucket`
record Exposed(String type, String help, Set<String> labels, Set<String> samples) {
    static final List<String> MODES = List.of("nftables", "iptables", "ipvs");

    private static final Pattern LINE =
            Pattern.compile(
                    "# HELP (?<name>\\S+) (?<help>.*)|# TYPE (?<typed>\\S+) (?<type>\\S+)"
                            + "|(?<sample>[a-z]\\w*)(\\{(?<labels>.*)})? .*");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");
    private static final Set<String> OF_VALUES = Set.of("le", "quantile");

    /// Everything that a process in `mode` shows, by name.
    static SortedMap<String, Exposed> in(String mode) {
        Metrics metrics = Measured.in(mode);
        metrics.measuresProcess(new Program("v", "r", String::new, TreeMap::new));
        return read(metrics.page().body());
    }

    private static SortedMap<String, Exposed> read(String page) {
        SortedMap<String, Exposed> all = new TreeMap<>();
        String help = "";
        Exposed last = new Exposed("", "", new TreeSet<>(), new LinkedHashSet<>());
        for (String line : page.lines().toList()) {
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new IllegalStateException(line);
            }
            if (parts.group("name") != null) {
                help = parts.group("help");
            } else if (parts.group("typed") != null) {
                last =
                        new Exposed(
                                parts.group("type"), help, new TreeSet<>(), new LinkedHashSet<>());
                all.put(parts.group("typed"), last);
            } else {
                last.samples.add(parts.group("sample"));
                if (parts.group("labels") != null) {
                    LABEL.matcher(parts.group("labels"))
                            .results()
                            .map(label -> label.group(1))
                            .filter(label -> !OF_VALUES.contains(label))
                            .forEach(last.labels::add);
                }
            }
        }
        return all;
    }
}
