package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Operand.Field;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.List;

/// `-m tcp`, `-m udp` and others with ports (iptables-extensions(8)). Packets of other protocols
/// never match.
final class PortMatch implements SavedPart {
    private static final long FLAGS_OF_SYN = 0x17;
    private static final long SYN = 0x02;
    private static final Value.Bits NOTHING = new Value.Bits(0, 0);

    private final List<Step> steps = new ArrayList<>();

    private final SharedSteps shared;

    PortMatch(int protocol, SharedSteps shared) {
        this.shared = shared;
        steps.add(shared.in(Field.PROTOCOL, Sense.IS, Range.of(Value.of(protocol))));
    }

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        switch (option) {
            case "--sport", "--source-port" -> steps.add(port(Field.SOURCE_PORT, sense, line));
            case "--dport", "--destination-port" ->
                    steps.add(port(Field.DESTINATION_PORT, sense, line));
            case "--syn" -> steps.add(flags(FLAGS_OF_SYN, SYN, sense));
            case "--tcp-flags" -> {
                long mask = flags(line);
                steps.add(flags(mask, flags(line), sense));
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private Step port(Field field, Sense sense, SavedLine line) {
        return shared.in(field, sense, range(line.next("a port"), line));
    }

    /// `80`, `1000:2000`, `:2000` or `1000:`, the last word of `line` or a part of it.
    static Range range(String word, SavedLine line) {
        int colon = word.indexOf(':');
        if (colon < 0) {
            return Range.of(Value.of(line.number(word, 65535)));
        }
        String low = word.substring(0, colon);
        String high = word.substring(colon + 1);
        long first = low.isEmpty() ? 0 : line.number(low, 65535);
        long last = high.isEmpty() ? 65535 : line.number(high, 65535);
        if (first > last) {
            throw line.wrong("a range of ports");
        }
        return new Range(Value.of(first), Value.of(last));
    }

    private static Step flags(long mask, long flags, Sense sense) {
        return Step.In.of(
                new Operand.Masked(Field.TCP_FLAGS, new Value.Bits(0, mask), NOTHING),
                sense,
                Range.of(Value.of(flags)));
    }

    private static long flags(SavedLine line) {
        long bits = 0;
        for (String name : line.next("TCP flags").split(",", -1)) {
            bits |=
                    switch (name) {
                        case "FIN" -> 0x01;
                        case "SYN" -> SYN;
                        case "RST" -> 0x04;
                        case "PSH" -> 0x08;
                        case "ACK" -> 0x10;
                        case "URG" -> 0x20;
                        case "ALL" -> 0x3f;
                        case "NONE" -> 0;
                        default -> throw line.wrong("TCP flags");
                    };
        }
        return bits;
    }

    @Override
    public List<Step> steps() {
        return List.copyOf(steps);
    }
}
