package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Connection;
import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.netfilter.Transport;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Reads what `conntrack -L` prints, `-o extended` or not, and `/proc/net/nf_conntrack`: line by
/// line, as a node may have millions.
public final class ConntrackReader {

    /// One line.
    ///
    /// @param state of a TCP, SCTP or DCCP connection, such as `ESTABLISHED`; empty for others
    /// @param zone 0 for the usual one; the model knows no other
    public record Listed(Connection connection, String state, int zone, int line) {}

    /// One direction while it is read.
    private static final class Tuple {
        private String source = "";
        private String destination = "";
        private int from;
        private int to;
        private int type;
        private int code;
    }

    private final SavedLine line;
    private String state = "";
    private long until = Element.FOREVER;
    private int protocol;
    private int seen = Connection.SEEN_REPLY;
    private int mark;
    private int zone;
    private final List<Tuple> tuples = new ArrayList<>(2);

    private ConntrackReader(SavedLine line) {
        this.line = line;
    }

    /// Gives every entry to `taker`.
    ///
    /// @throws SyntaxException for a line that is none of conntrack's
    /// @throws UncheckedIOException when `text` cannot be read
    public static void read(Reader text, Consumer<Listed> taker) {
        try (text) {
            BoundedLines lines = new BoundedLines(text);
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                if (!line.get().isBlank() && !isSummary(line.get())) {
                    taker.accept(
                            new ConntrackReader(new SavedLine(lines.number(), line.get())).read());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<Listed> read(String text) {
        List<Listed> all = new ArrayList<>();
        read(new StringReader(text), all::add);
        return all;
    }

    /// `conntrack v1.4.7 (conntrack-tools): 6 flow entries have been shown.`
    private static boolean isSummary(String line) {
        return line.startsWith("conntrack v");
    }

    private Listed read() {
        if (line.accept("ipv4") || line.accept("ipv6")) {
            line.number(255);
        }
        line.next("a protocol");
        protocol = (int) line.number(255);
        // An entry that hardware or a flow table took over shows no time.
        if (line.hasNext() && Character.isDigit(line.peek().charAt(0))) {
            until = 1000 * line.number(Integer.MAX_VALUE);
        }
        if (line.hasNext() && line.peek().indexOf('=') < 0 && !line.peek().startsWith("[")) {
            state = line.next("a state");
        }
        while (line.hasNext()) {
            field(line.next("a field"));
        }
        if (tuples.size() != 2) {
            throw line.expected("two addresses of either direction");
        }
        Packet original = packet(tuples.get(0));
        Packet reply = packet(tuples.get(1));
        if (original.family() != reply.family()) {
            throw line.expected("addresses of one family");
        }
        return new Listed(
                Connection.listed(original, reply, seen, mark, until), state, zone, line.line());
    }

    private void field(String word) {
        if (word.startsWith("[")) {
            flag(word);
            return;
        }
        int sign = word.indexOf('=');
        if (sign < 0) {
            throw line.wrong("a field");
        }
        String value = word.substring(sign + 1);
        switch (word.substring(0, sign)) {
            case "src" -> {
                tuples.add(new Tuple());
                tuple().source = value;
            }
            case "dst" -> tuple().destination = value;
            case "sport" -> tuple().from = (int) line.number(value, 65535);
            case "dport" -> tuple().to = (int) line.number(value, 65535);
            case "type" -> tuple().type = (int) line.number(value, 255);
            case "code" -> tuple().code = (int) line.number(value, 255);
            case "mark" -> mark = (int) line.number(value, MarkMask.ALL);
            case "zone" -> zone = (int) line.number(value, 65535);
            // Counts, and what no rule of the model reads. Zones of one direction are rare.
            case "id",
                    "packets",
                    "bytes",
                    "use",
                    "secctx",
                    "secmark",
                    "labels",
                    "helper",
                    "delta-time",
                    "srckey",
                    "dstkey" -> {}
            case "zone-orig", "zone-reply" -> zone = (int) line.number(value, 65535);
            default -> throw line.wrong("a field of conntrack");
        }
    }

    private void flag(String word) {
        switch (word) {
            case "[UNREPLIED]" -> seen &= ~Connection.SEEN_REPLY;
            case "[ASSURED]" -> seen |= Connection.ASSURED;
            case "[OFFLOAD]", "[HW_OFFLOAD]" -> {}
            default -> {
                // [start=Sun Nov 29 22:07:34 2026] is several words.
                if (!word.startsWith("[start=") && !word.startsWith("[stop=")) {
                    throw line.wrong("a flag of conntrack");
                }
                String last = word;
                while (!last.endsWith("]")) {
                    last = line.next("the end of a time");
                }
            }
        }
    }

    private Tuple tuple() {
        if (tuples.isEmpty()) {
            throw line.wrong("src=");
        }
        return tuples.getLast();
    }

    private Packet packet(Tuple tuple) {
        Family family = tuple.source.indexOf(':') < 0 ? Family.IPV4 : Family.IPV6;
        return new Packet(
                line.address(tuple.source, family),
                line.address(tuple.destination, family),
                switch (protocol) {
                    case Transport.TCP,
                            Transport.UDP,
                            Transport.SCTP,
                            Protocols.DCCP,
                            Protocols.UDP_LITE ->
                            new Transport.Ported(protocol, tuple.from, tuple.to);
                    case Transport.ICMP, Transport.ICMPV6 ->
                            new Transport.Icmp(protocol, tuple.type, tuple.code);
                    default -> new Transport.Bare(protocol);
                });
    }
}
