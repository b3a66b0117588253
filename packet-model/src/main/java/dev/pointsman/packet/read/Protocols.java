package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Transport;
import java.util.Locale;
import java.util.Map;

/// IP protocols by the names that iptables knows without /etc/protocols, and some from there.
final class Protocols {
    static final int DCCP = 33;
    static final int UDP_LITE = 136;
    private static final Map<String, Integer> NAMES =
            Map.ofEntries(
                    Map.entry("all", 0),
                    Map.entry("tcp", Transport.TCP),
                    Map.entry("udp", Transport.UDP),
                    Map.entry("sctp", Transport.SCTP),
                    Map.entry("icmp", Transport.ICMP),
                    Map.entry("icmpv6", Transport.ICMPV6),
                    Map.entry("ipv6-icmp", Transport.ICMPV6),
                    Map.entry("dccp", DCCP),
                    Map.entry("udplite", UDP_LITE),
                    Map.entry("igmp", 2),
                    Map.entry("ipencap", 4),
                    Map.entry("ipv4", 4),
                    Map.entry("ipv6", 41),
                    Map.entry("gre", 47),
                    Map.entry("esp", 50),
                    Map.entry("ah", 51),
                    Map.entry("ospf", 89),
                    Map.entry("ipip", 94),
                    Map.entry("pim", 103),
                    Map.entry("vrrp", 112),
                    Map.entry("ipv6-mh", 135),
                    Map.entry("mobility-header", 135));

    private Protocols() {}

    /// Number of the protocol that the next word names; 0 is any.
    ///
    /// @throws NotUnderstood for a name that is not known here
    static int number(SavedLine line) {
        String word = line.next("a protocol");
        return number(word, line);
    }

    static int number(String word, SavedLine line) {
        Integer named = NAMES.get(word.toLowerCase(Locale.ROOT));
        if (named != null) {
            return named;
        }
        if (word.isEmpty() || !Character.isDigit(word.charAt(0))) {
            throw new NotUnderstood("protocol " + word);
        }
        return (int) line.number(word, 255);
    }
}
