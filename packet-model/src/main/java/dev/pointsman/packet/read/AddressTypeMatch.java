package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Node;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// `-m addrtype` (xt_addrtype.c).
final class AddressTypeMatch implements SavedPart {
    /// One address and the types asked for.
    private record Wanted(Operand.End end, Sense sense, Set<Node.AddressType> types) {}

    private final Family family;
    private final List<Wanted> wanted = new ArrayList<>();
    private Operand.Limit limit = Operand.Limit.ANY_INTERFACE;

    AddressTypeMatch(Family family) {
        this.family = family;
    }

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        switch (option) {
            case "--src-type" -> wanted.add(new Wanted(Operand.End.SOURCE, sense, types(line)));
            case "--dst-type" ->
                    wanted.add(new Wanted(Operand.End.DESTINATION, sense, types(line)));
            case "--limit-iface-in" -> limit = Operand.Limit.IN_INTERFACE;
            case "--limit-iface-out" -> limit = Operand.Limit.OUT_INTERFACE;
            default -> {
                return false;
            }
        }
        return true;
    }

    private Set<Node.AddressType> types(SavedLine line) {
        Set<Node.AddressType> types = EnumSet.noneOf(Node.AddressType.class);
        String words = line.next("types of addresses");
        for (String word : words.split(",", -1)) {
            types.add(type(word, line));
        }
        return switch (family) {
            case IPV4 -> types;
            case IPV6 -> types6(types, words);
        };
    }

    private static Node.AddressType type(String word, SavedLine line) {
        return switch (word) {
            case "UNSPEC" -> Node.AddressType.UNSPECIFIED;
            case "UNICAST" -> Node.AddressType.UNICAST;
            case "LOCAL" -> Node.AddressType.LOCAL;
            case "BROADCAST" -> Node.AddressType.BROADCAST;
            case "ANYCAST" -> Node.AddressType.ANYCAST;
            case "MULTICAST" -> Node.AddressType.MULTICAST;
            case "BLACKHOLE" -> Node.AddressType.BLACKHOLE;
            case "UNREACHABLE" -> Node.AddressType.UNREACHABLE;
            case "PROHIBIT" -> Node.AddressType.PROHIBIT;
            case "THROW", "NAT", "XRESOLVE" -> throw new NotUnderstood("address type " + word);
            default -> throw line.wrong("types of addresses");
        };
    }

    /// IPv6 asks for all of several types, and takes any address that is not for a group for
    /// unicast (`match_type6`).
    private static Set<Node.AddressType> types6(Set<Node.AddressType> types, String words) {
        if (types.size() > 1) {
            throw new NotUnderstood("address types " + words + " of IPv6");
        }
        return types.contains(Node.AddressType.UNICAST)
                ? EnumSet.complementOf(
                        EnumSet.of(Node.AddressType.MULTICAST, Node.AddressType.UNSPECIFIED))
                : types;
    }

    @Override
    public List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        for (Wanted one : wanted) {
            steps.add(
                    Step.In.of(
                            new Operand.AddressType(one.end(), limit),
                            one.sense(),
                            one.types().stream()
                                    .map(type -> Range.of(Value.of(type.number())))
                                    .toArray(Range[]::new)));
        }
        return steps;
    }
}
