package dev.pointsman.kube;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.IpAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Lists of addresses and ranges of which one item may be wrong without the others being so.
final class AddressReader {
    private AddressReader() {}

    /// The addresses that `items` are, each once. Blank items mean nothing; a wrong one is
    /// reported.
    static List<IpAddress> addresses(List<Field> items, Report report) {
        return each(items, text -> text.isBlank() ? "" : text, IpAddress::parse, report);
    }

    /// The ranges that `items` are, each once, blanks around them ignored. A wrong one is reported.
    static List<Cidr> ranges(List<Field> items, Report report) {
        return each(items, String::strip, Cidr::parse, report);
    }

    private static <T> List<T> each(
            List<Field> items,
            Function<String, String> cleaned,
            Function<String, T> parser,
            Report report) {
        Set<T> found = new LinkedHashSet<>();
        for (Field item : items) {
            String text = cleaned.apply(item.text());
            if (text.isEmpty()) {
                continue;
            }
            try {
                found.add(parser.apply(text));
            } catch (IllegalArgumentException e) {
                report.warning(
                        item, Quote.plain(String.valueOf(e.getMessage())), "the item is left out");
            }
        }
        return new ArrayList<>(found);
    }
}
