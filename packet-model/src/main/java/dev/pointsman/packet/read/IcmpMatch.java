package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Elements;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Operand.Field;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.SetReference;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Transport;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `-m icmp` and `-m icmp6`.
final class IcmpMatch implements SavedPart {
    private static final int ANY_TYPE = 255;
    private static final Range ANY_CODE = new Range(Value.of(0), Value.of(255));
    private static final Map<String, String> NAMES =
            Map.ofEntries(
                    Map.entry("echo-reply", "0"),
                    Map.entry("pong", "0"),
                    Map.entry("destination-unreachable", "3"),
                    Map.entry("network-unreachable", "3/0"),
                    Map.entry("host-unreachable", "3/1"),
                    Map.entry("protocol-unreachable", "3/2"),
                    Map.entry("port-unreachable", "3/3"),
                    Map.entry("fragmentation-needed", "3/4"),
                    Map.entry("source-quench", "4"),
                    Map.entry("redirect", "5"),
                    Map.entry("echo-request", "8"),
                    Map.entry("ping", "8"),
                    Map.entry("router-advertisement", "9"),
                    Map.entry("router-solicitation", "10"),
                    Map.entry("time-exceeded", "11"),
                    Map.entry("parameter-problem", "12"),
                    Map.entry("timestamp-request", "13"),
                    Map.entry("timestamp-reply", "14"));
    private static final Map<String, String> NAMES_6 =
            Map.ofEntries(
                    Map.entry("destination-unreachable", "1"),
                    Map.entry("no-route", "1/0"),
                    Map.entry("address-unreachable", "1/3"),
                    Map.entry("port-unreachable", "1/4"),
                    Map.entry("packet-too-big", "2"),
                    Map.entry("time-exceeded", "3"),
                    Map.entry("parameter-problem", "4"),
                    Map.entry("echo-request", "128"),
                    Map.entry("echo-reply", "129"),
                    Map.entry("router-solicitation", "133"),
                    Map.entry("router-advertisement", "134"),
                    Map.entry("neighbour-solicitation", "135"),
                    Map.entry("neighbor-solicitation", "135"),
                    Map.entry("neighbour-advertisement", "136"),
                    Map.entry("neighbor-advertisement", "136"),
                    Map.entry("redirect", "137"));

    private final int protocol;
    private final List<Step> steps = new ArrayList<>();

    IcmpMatch(int protocol) {
        this.protocol = protocol;
        steps.add(Step.In.of(Field.PROTOCOL, Value.of(protocol)));
    }

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        boolean six = protocol == Transport.ICMPV6;
        if (!option.equals(six ? "--icmpv6-type" : "--icmp-type")) {
            return false;
        }
        String word = line.next("a type of ICMP message").toLowerCase(Locale.ROOT);
        if (word.equals("any") || word.equals(Integer.toString(ANY_TYPE)) && !six) {
            return true;
        }
        String numbers = (six ? NAMES_6 : NAMES).getOrDefault(word, word);
        int slash = numbers.indexOf('/');
        String type = slash < 0 ? numbers : numbers.substring(0, slash);
        Range code =
                slash < 0
                        ? ANY_CODE
                        : Range.of(Value.of(line.number(numbers.substring(slash + 1), 255)));
        Element element =
                Element.permanent(
                        List.of(Range.of(Value.of(line.number(type, 255))), code),
                        new Element.Data.None(),
                        0);
        steps.add(
                new Step.In(
                        new Operand.Concatenation(List.of(Field.ICMP_TYPE, Field.ICMP_CODE)),
                        sense,
                        new SetReference.Anonymous(new Elements(List.of(element)))));
        return true;
    }

    @Override
    public List<Step> steps() {
        return List.copyOf(steps);
    }
}
