package dev.pointsman.iptables;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import java.util.Locale;

/// A condition of a rule. Each prints as `iptables-save` would print it, so that what was written
/// can be compared with what is there.
public sealed interface Match {

    /// Whether the condition must hold or must not.
    enum Sense {
        IS(""),
        IS_NOT("! ");

        private final String prefix;

        Sense(String prefix) {
            this.prefix = prefix;
        }
    }

    record Source(Sense sense, Cidr range) implements Match {}

    record Destination(Sense sense, Cidr range) implements Match {}

    /// Where it came in.
    ///
    /// @param name of an interface, or its first letters with a `+`
    record InputInterface(Sense sense, String name) implements Match {}

    record ProtocolIs(Protocol protocol) implements Match {}

    /// A destination port within `first` to `last`, behind [ProtocolIs].
    record DestinationPort(Protocol protocol, int first, int last) implements Match {
        /// One port.
        public static DestinationPort of(Protocol protocol, int port) {
            return new DestinationPort(protocol, port, port);
        }
    }

    /// A remark, which matches everything.
    record Comment(String remark) implements Match {
        // The kernel keeps 256 bytes with the terminator.
        private static final int LONGEST = 255;

        public Comment {
            remark = harmless(remark);
        }

        /// A name from the cluster must never end the quotes that it is printed in.
        private static String harmless(String text) {
            StringBuilder clean = new StringBuilder(text.length());
            for (int i = 0; i < text.length() && i < LONGEST; i++) {
                char c = text.charAt(i);
                clean.append(c < ' ' || c > '~' || c == '"' || c == '\\' || c == '\'' ? '?' : c);
            }
            return clean.toString();
        }
    }

    /// What conntrack makes of it.
    ///
    /// @param states words of conntrack with commas between them
    record ConnectionState(Sense sense, String states) implements Match {}

    record Marked(Sense sense, int mark) implements Match {}

    record SourceIsLocal() implements Match {}

    /// It is for an address of the interface that it came in by. Not for packets of the node
    /// itself: iptables refuses a rule that these could meet.
    record ToItsInterface() implements Match {}

    /// IPVS has chosen where it goes.
    record Balanced() implements Match {}

    /// An ipset holds it.
    ///
    /// @param fields what of the packet is looked up, such as `dst,dst,src`
    record InSet(Sense sense, String set, String fields) implements Match {}

    record DestinationIsLocal(Sense sense) implements Match {}

    /// What the packet was sent to before it was translated.
    record OriginalDestination(Cidr range) implements Match {}

    /// True for one packet in `of`.
    record OneIn(int of) implements Match {
        private static final double IN_31_BITS = 0x80000000L;

        private String probability() {
            return String.format(Locale.ROOT, "%.10f", 1.0 / of);
        }

        /// The kernel keeps 31 bits, and iptables prints eleven decimals of them.
        private String savedProbability() {
            long kept = Math.round(Double.parseDouble(probability()) * IN_31_BITS);
            return String.format(Locale.ROOT, "%.11f", kept / IN_31_BITS);
        }
    }

    /// The source was put on `list` within `seconds`.
    record RememberedOn(String list, int seconds, Family family) implements Match {}

    /// Puts the source on `list`, and matches everything.
    record RememberOn(String list, Family family) implements Match {}

    default String text() {
        return switch (this) {
            case Source(var sense, var range) -> sense.prefix + "-s " + range;
            case Destination(var sense, var range) -> sense.prefix + "-d " + range;
            case InputInterface(var sense, var name) -> sense.prefix + "-i " + name;
            case ProtocolIs(var protocol) -> "-p " + protocol.keyword();
            case DestinationPort(var protocol, int first, int last) ->
                    "-m "
                            + protocol.keyword()
                            + " --dport "
                            + (first == last ? first : first + ":" + last);
            case Comment(var remark) -> "-m comment --comment \"" + remark + "\"";
            case ConnectionState(var sense, var states) ->
                    "-m conntrack " + sense.prefix + "--ctstate " + states;
            case Marked(var sense, int mark) ->
                    "-m mark " + sense.prefix + "--mark " + hex(mark) + "/" + hex(mark);
            case Balanced() -> "-m ipvs --ipvs";
            case InSet(var sense, var set, var fields) ->
                    "-m set " + sense.prefix + "--match-set " + set + " " + fields;
            case SourceIsLocal() -> "-m addrtype --src-type LOCAL";
            case DestinationIsLocal(var sense) ->
                    "-m addrtype " + sense.prefix + "--dst-type LOCAL";
            case ToItsInterface() -> "-m addrtype --dst-type LOCAL --limit-iface-in";
            case OriginalDestination(var range) -> "-m conntrack --ctorigdst " + range;
            case OneIn one -> "-m statistic --mode random --probability " + one.probability();
            case RememberedOn(var list, int seconds, var family) ->
                    "-m recent --rcheck --seconds " + seconds + " --reap" + list(list, family);
            case RememberOn(var list, var family) -> "-m recent --set" + list(list, family);
        };
    }

    /// What iptables 1.8 prints of it.
    default String savedText() {
        return this instanceof OneIn one
                ? "-m statistic --mode random --probability " + one.savedProbability()
                : text();
    }

    private static String list(String name, Family family) {
        Cidr all =
                new Cidr(
                        switch (family) {
                            case IPV4 -> new IpAddress.Ipv4(-1);
                            case IPV6 -> new IpAddress.Ipv6(-1, -1);
                        },
                        family.bits());
        return " --name " + name + " --mask " + all.base() + " --rsource";
    }

    static String hex(int bits) {
        return "0x" + Integer.toHexString(bits);
    }
}
