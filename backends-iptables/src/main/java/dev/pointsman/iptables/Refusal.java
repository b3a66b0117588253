package dev.pointsman.iptables;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.graph.ServiceName;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Why restores failed: the lines that its program named, and whose they are.
///
/// @param lines of the input that were refused; empty when the program named none
/// @param tablesBefore how many tables of the input were in place by then, the same one perhaps
///   several times
/// @param why what the program said, in one line
record Refusal(List<Line> lines, int tablesBefore, String why) {
    // "Error occurred at line: 7", "iptables-restore: line 9 failed",
    // "line 6: RULE_APPEND failed (No such file or directory): rule in chain X"
    private static final Pattern NUMBER = Pattern.compile("\\bline:? (\\d+)");
    private static final String COMMIT = "COMMIT";

    Refusal {
        lines = List.copyOf(lines);
    }

    static Refusal of(List<Restore> restores, String errors) {
        List<Line> input = new ArrayList<>();
        restores.forEach(restore -> restore.lines(input::add));
        List<Line> refused = new ArrayList<>();
        int first = input.size();
        Matcher matcher = NUMBER.matcher(errors);
        while (matcher.find()) {
            int number = Integer.parseInt(matcher.group(1));
            if (number >= 1 && number <= input.size()) {
                refused.add(input.get(number - 1));
                first = Math.min(first, number - 1);
            }
        }
        int tables = 0;
        for (Line line : input.subList(0, first)) {
            if (line.text().equals(COMMIT)) {
                tables++;
            }
        }
        return new Refusal(refused, refused.isEmpty() ? 0 : tables, oneLine(errors));
    }

    /// Whether the kernel refused a whole table without a word about the rule: what ip_tables does.
    boolean isOfTable() {
        return lines.stream().allMatch(line -> line.text().equals(COMMIT));
    }

    /// The same with the lines that a search has found.
    Refusal with(List<Line> found) {
        return new Refusal(found, tablesBefore, why);
    }

    Commit.Refused told() {
        SortedSet<ServiceName> services = new TreeSet<>();
        for (Line line : lines) {
            if (line.subject() instanceof Subject.Service(var name)) {
                services.add(name);
            }
        }
        String what = lines.isEmpty() ? "the input as a whole" : lines.getFirst().text();
        return new Commit.Refused(what, why + advice(), services);
    }

    private String advice() {
        return why.contains("No such file or directory")
                        || why.contains("No chain/target/match by that name")
                        || why.contains("Couldn't load")
                        || why.contains("Extension")
                ? ": the kernel or iptables lacks an extension (comment, conntrack, addrtype,"
                        + " statistic, recent, mark, DNAT, MASQUERADE, REJECT), or somebody removed"
                        + " a chain, which a repair restores"
                : "";
    }

    private static String oneLine(String errors) {
        return String.join(
                "; ", errors.lines().map(String::strip).filter(s -> !s.isEmpty()).toList());
    }
}
