package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Connection;
import dev.pointsman.packet.netfilter.Node;
import dev.pointsman.packet.netfilter.Tracking;
import java.util.Map;

/// The names that nft has for constants (`nft describe`). Of protocols and services, which nft
/// reads from the system's files and no longer prints, the common ones.
final class NftSymbols {
    private static final Map<String, Long> INET_PROTO =
            Map.ofEntries(
                    Map.entry("icmp", 1L),
                    Map.entry("igmp", 2L),
                    Map.entry("tcp", 6L),
                    Map.entry("udp", 17L),
                    Map.entry("dccp", 33L),
                    Map.entry("gre", 47L),
                    Map.entry("esp", 50L),
                    Map.entry("ah", 51L),
                    Map.entry("ipv6-icmp", 58L),
                    Map.entry("icmpv6", 58L),
                    Map.entry("ospf", 89L),
                    Map.entry("ipip", 4L),
                    Map.entry("ipv6", 41L),
                    Map.entry("vrrp", 112L),
                    Map.entry("sctp", 132L),
                    Map.entry("udplite", 136L));

    private static final Map<String, Long> INET_SERVICE =
            Map.ofEntries(
                    Map.entry("ftp", 21L),
                    Map.entry("ssh", 22L),
                    Map.entry("smtp", 25L),
                    Map.entry("domain", 53L),
                    Map.entry("bootps", 67L),
                    Map.entry("bootpc", 68L),
                    Map.entry("http", 80L),
                    Map.entry("ntp", 123L),
                    Map.entry("https", 443L),
                    Map.entry("dhcpv6-client", 546L),
                    Map.entry("dhcpv6-server", 547L),
                    Map.entry("mdns", 5353L));

    private static final Map<String, Long> FAMILY = Map.of("ipv4", 2L, "ipv6", 10L);

    private static final Map<String, Long> ETHER_TYPE =
            Map.of("ip", 2L, "ip6", 10L, "0x0800", 2L, "0x86dd", 10L);

    private static final Map<String, Long> PACKET_TYPE =
            Map.of("host", 0L, "unicast", 0L, "broadcast", 1L, "multicast", 2L, "other", 3L);

    private static final Map<String, Long> CT_STATE =
            Map.of(
                    "invalid",
                    (long) Tracking.INVALID_BIT,
                    "established",
                    (long) Tracking.ESTABLISHED_BIT,
                    "related",
                    (long) Tracking.RELATED_BIT,
                    "new",
                    (long) Tracking.NEW_BIT,
                    "untracked",
                    (long) Tracking.UNTRACKED_BIT);

    private static final Map<String, Long> CT_STATUS =
            Map.of(
                    "expected",
                    (long) Connection.EXPECTED,
                    "seen-reply",
                    (long) Connection.SEEN_REPLY,
                    "assured",
                    (long) Connection.ASSURED,
                    "confirmed",
                    (long) Connection.CONFIRMED,
                    "snat",
                    (long) Connection.SOURCE_TRANSLATED,
                    "dnat",
                    (long) Connection.DESTINATION_TRANSLATED,
                    "dying",
                    512L);

    private static final Map<String, Long> CT_DIRECTION = Map.of("original", 0L, "reply", 1L);

    private static final Map<String, Long> TCP_FLAGS =
            Map.of(
                    "fin", 1L, "syn", 2L, "rst", 4L, "psh", 8L, "ack", 16L, "urg", 32L, "ecn", 64L,
                    "cwr", 128L);

    private static final Map<String, Long> ICMP_TYPE =
            Map.ofEntries(
                    Map.entry("echo-reply", 0L),
                    Map.entry("destination-unreachable", 3L),
                    Map.entry("source-quench", 4L),
                    Map.entry("redirect", 5L),
                    Map.entry("echo-request", 8L),
                    Map.entry("router-advertisement", 9L),
                    Map.entry("router-solicitation", 10L),
                    Map.entry("time-exceeded", 11L),
                    Map.entry("parameter-problem", 12L),
                    Map.entry("timestamp-request", 13L),
                    Map.entry("timestamp-reply", 14L));

    private static final Map<String, Long> ICMPV6_TYPE =
            Map.ofEntries(
                    Map.entry("destination-unreachable", 1L),
                    Map.entry("packet-too-big", 2L),
                    Map.entry("time-exceeded", 3L),
                    Map.entry("parameter-problem", 4L),
                    Map.entry("echo-request", 128L),
                    Map.entry("echo-reply", 129L),
                    Map.entry("mld-listener-query", 130L),
                    Map.entry("mld-listener-report", 131L),
                    Map.entry("mld-listener-done", 132L),
                    Map.entry("mld-listener-reduction", 132L),
                    Map.entry("nd-router-solicit", 133L),
                    Map.entry("nd-router-advert", 134L),
                    Map.entry("nd-neighbor-solicit", 135L),
                    Map.entry("nd-neighbor-advert", 136L),
                    Map.entry("nd-redirect", 137L),
                    Map.entry("mld2-listener-report", 143L));

    private static final Map<String, Long> FIB_ADDRTYPE =
            Map.of(
                    "unspec",
                    Node.AddressType.UNSPECIFIED.number(),
                    "unicast",
                    Node.AddressType.UNICAST.number(),
                    "local",
                    Node.AddressType.LOCAL.number(),
                    "broadcast",
                    Node.AddressType.BROADCAST.number(),
                    "anycast",
                    Node.AddressType.ANYCAST.number(),
                    "multicast",
                    Node.AddressType.MULTICAST.number(),
                    "blackhole",
                    Node.AddressType.BLACKHOLE.number(),
                    "unreachable",
                    Node.AddressType.UNREACHABLE.number(),
                    "prohibit",
                    Node.AddressType.PROHIBIT.number());

    private NftSymbols() {}

    static Map<String, Long> of(NftType type) {
        return switch (type) {
            case INET_PROTO -> INET_PROTO;
            case INET_SERVICE -> INET_SERVICE;
            case FAMILY -> FAMILY;
            case ETHER_TYPE -> ETHER_TYPE;
            case PACKET_TYPE -> PACKET_TYPE;
            case CT_STATE -> CT_STATE;
            case CT_STATUS -> CT_STATUS;
            case CT_DIRECTION -> CT_DIRECTION;
            case TCP_FLAGS -> TCP_FLAGS;
            case ICMP_TYPE -> ICMP_TYPE;
            case ICMPV6_TYPE -> ICMPV6_TYPE;
            case FIB_ADDRTYPE -> FIB_ADDRTYPE;
            case IPV4_ADDR, IPV6_ADDR, INTERFACE, MARK, INTEGER -> Map.of();
        };
    }
}
