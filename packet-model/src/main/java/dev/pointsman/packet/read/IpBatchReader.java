package dev.pointsman.packet.read;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.IpvsTable;
import java.util.SortedSet;
import java.util.TreeSet;

/// Reads the lines that `ip -batch` takes (ip(8)) and that are about the dummy interface for the
/// addresses of virtual servers: commands, each done after the one before.
final class IpBatchReader {
    private final SortedSet<IpAddress> addresses = new TreeSet<>();

    private IpBatchReader() {}

    /// The addresses that the interface has in the end.
    ///
    /// @throws SyntaxException for anything else that ip(8) can do
    static SortedSet<IpAddress> read(String text) {
        IpBatchReader reader = new IpBatchReader();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            if (!line.isBlank() && !line.startsWith("#")) {
                reader.line(new SavedLine(number, line));
            }
        }
        return reader.addresses;
    }

    private void line(SavedLine line) {
        switch (line.next("a command of ip")) {
            case "link" -> link(line);
            case "address", "addr" -> address(line);
            default -> throw line.wrong("link or address");
        }
    }

    private void link(SavedLine line) {
        switch (line.next("what to do")) {
            case "add", "set" -> {
                device(line);
                while (line.hasNext()) {
                    line.next("an option");
                }
            }
            case "delete", "del" -> {
                device(line);
                line.end("the line");
                addresses.clear();
            }
            default -> throw line.wrong("add, set or delete");
        }
    }

    private void address(SavedLine line) {
        switch (line.next("what to do")) {
            case "add", "replace" -> addresses.add(own(line));
            case "delete", "del" -> addresses.remove(own(line));
            default -> throw line.wrong("add, replace or delete");
        }
        device(line);
        line.end("the line");
    }

    /// `10.96.0.1/32`: no other address is made the node's by it.
    private static IpAddress own(SavedLine line) {
        String word = line.next("an address");
        int slash = word.indexOf('/');
        IpAddress address;
        try {
            address = IpAddress.parse(slash < 0 ? word : word.substring(0, slash));
        } catch (IllegalArgumentException _) {
            throw line.wrong("an address");
        }
        int bits = address.family().bits();
        if (slash >= 0 && line.number(word.substring(slash + 1), bits) != bits) {
            throw line.wrong("an address with a prefix of " + bits);
        }
        return address;
    }

    private static void device(SavedLine line) {
        line.accept("dev");
        if (!line.next("an interface").equals(IpvsTable.DEVICE)) {
            throw line.wrong(IpvsTable.DEVICE);
        }
    }
}
