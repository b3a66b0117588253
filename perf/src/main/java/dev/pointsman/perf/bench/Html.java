package dev.pointsman.perf.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A table in HTML; cells are plain text.
final class Html {
    private final List<String> rows = new ArrayList<>();

    private Html() {}

    static Html table(String... headings) {
        Html table = new Html();
        table.row("th", List.of(headings));
        return table;
    }

    Html row(String... cells) {
        row("td", List.of(cells));
        return this;
    }

    private void row(String element, List<String> cells) {
        rows.add(
                cells.stream()
                        .map(cell -> "<" + element + ">" + escaped(cell) + "</" + element + ">")
                        .collect(Collectors.joining("", "<tr>", "</tr>")));
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @Override
    public String toString() {
        return rows.stream().collect(Collectors.joining("\n", "<table>\n", "\n</table>\n"));
    }
}
