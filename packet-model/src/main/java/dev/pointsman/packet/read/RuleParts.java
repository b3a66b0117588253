package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.NamedSet;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Transport;
import dev.pointsman.packet.netfilter.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Matches and targets by their names in iptables-extensions(8).
record RuleParts(Family family, Ipsets ipsets, SharedSteps shared, Consumer<NamedSet> used) {
    private static final Set<String> IDLE =
            Set.of(
                    "LOG",
                    "NFLOG",
                    "ULOG",
                    "TRACE",
                    "AUDIT",
                    "TCPMSS",
                    "TCPOPTSTRIP",
                    "CHECKSUM",
                    "CLASSIFY",
                    "DSCP",
                    "TOS",
                    "ECN",
                    "LED",
                    "IDLETIMER",
                    "RATEEST",
                    "SECMARK",
                    "CONNSECMARK");

    SavedPart match(String name) {
        return switch (name) {
            case "comment" -> new HarmlessPart(Set.of("--comment"));
            case "nfacct" -> new HarmlessPart(Set.of("--nfacct-name"));
            case "multiport" -> new MultiportMatch();
            case "conntrack", "state" -> new ConntrackMatch(family, shared);
            case "mark" -> new MarkMatch(Operand.Field.MARK);
            case "connmark" -> new MarkMatch(Operand.Field.CONNECTION_MARK);
            case "addrtype" -> new AddressTypeMatch(family);
            case "statistic" -> new StatisticMatch();
            case "recent" -> new RecentMatch(family);
            case "set" -> new SetMatch(family, ipsets, used);
            case "physdev" -> new BridgeMatch();
            case "iprange" -> new AddressRangeMatch(family);
            case "ipvs" -> new IpvsMatch(family, shared);
            case "ipv6-icmp" -> new IcmpMatch(Transport.ICMPV6);
            default -> ofProtocol(name).orElseGet(() -> new OpaquePart("-m " + name));
        };
    }

    /// The match whose options `-p` allows without its being named.
    Optional<SavedPart> ofProtocol(String name) {
        return switch (name) {
            case "tcp" -> Optional.of(new PortMatch(Transport.TCP, shared));
            case "udp" -> Optional.of(new PortMatch(Transport.UDP, shared));
            case "sctp" -> Optional.of(new PortMatch(Transport.SCTP, shared));
            case "dccp" -> Optional.of(new PortMatch(Protocols.DCCP, shared));
            case "udplite" -> Optional.of(new PortMatch(Protocols.UDP_LITE, shared));
            case "icmp" -> Optional.of(new IcmpMatch(Transport.ICMP));
            case "icmp6", "icmpv6", "ipv6-icmp" -> Optional.of(new IcmpMatch(Transport.ICMPV6));
            default -> Optional.empty();
        };
    }

    SavedPart target(String name) {
        return switch (name) {
            case "ACCEPT" -> verdict(new Verdict.Accept());
            case "DROP" -> verdict(new Verdict.Drop());
            case "RETURN" -> verdict(new Verdict.Return());
            case "REJECT" -> new RejectTarget();
            case "DNAT" -> new TranslationTarget(Step.Kind.DNAT, family);
            case "SNAT" -> new TranslationTarget(Step.Kind.SNAT, family);
            case "MASQUERADE" -> new TranslationTarget(Step.Kind.MASQUERADE, family);
            case "REDIRECT" -> new TranslationTarget(Step.Kind.REDIRECT, family);
            case "MARK" -> new MarkTarget();
            case "CONNMARK" -> new ConnmarkTarget();
            case "CT" -> new TrackTarget();
            case "NOTRACK" -> new PlainTarget(List.of(new Step.Untrack()));
            case "SET" -> new SetTarget(family, ipsets, used);
            default -> IDLE.contains(name) ? new IdleTarget() : new OpaquePart("-j " + name);
        };
    }

    static SavedPart verdict(Verdict verdict) {
        return new PlainTarget(List.of(new Step.Take(verdict)));
    }
}
