package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Connection;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Operand.Field;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Tracking;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.List;

/// `-m conntrack` and `-m state` (xt_conntrack.c).
final class ConntrackMatch implements SavedPart {
    private final Family family;
    private final SharedSteps shared;
    private final List<Step> steps = new ArrayList<>();

    /// Whether packets without a connection have a state that matches.
    private boolean takesUntracked;

    ConntrackMatch(Family family, SharedSteps shared) {
        this.shared = shared;
        this.family = family;
    }

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        switch (option) {
            case "--ctstate", "--state" -> state(sense, line);
            case "--ctstatus" -> steps.add(new Step.AnyBit(Field.STATUS, sense, statuses(line)));
            case "--ctdir" ->
                    steps.add(
                            Step.In.of(
                                    Field.DIRECTION, sense, Range.of(Value.of(direction(line)))));
            case "--ctproto" ->
                    steps.add(
                            Step.In.of(
                                    Field.CONNECTION_PROTOCOL,
                                    sense,
                                    Range.of(Value.of(Protocols.number(line)))));
            case "--ctorigsrc" -> address(Operand.End.ORIGINAL_SOURCE, sense, line);
            case "--ctorigdst" -> address(Operand.End.ORIGINAL_DESTINATION, sense, line);
            case "--ctreplsrc" -> address(Operand.End.REPLY_SOURCE, sense, line);
            case "--ctrepldst" -> address(Operand.End.REPLY_DESTINATION, sense, line);
            case "--ctorigsrcport" -> port(Field.ORIGINAL_SOURCE_PORT, sense, line);
            case "--ctorigdstport" -> port(Field.ORIGINAL_DESTINATION_PORT, sense, line);
            case "--ctreplsrcport" -> port(Field.REPLY_SOURCE_PORT, sense, line);
            case "--ctrepldstport" -> port(Field.REPLY_DESTINATION_PORT, sense, line);
            default -> {
                return false;
            }
        }
        if (takesUntracked && steps.size() > 1) {
            throw new NotUnderstood("states without a connection beside other conditions");
        }
        return true;
    }

    private void state(Sense sense, SavedLine line) {
        long bits = 0;
        for (String name : line.next("states").split(",", -1)) {
            bits |=
                    switch (name) {
                        case "INVALID" -> Tracking.INVALID_BIT;
                        case "NEW" -> Tracking.NEW_BIT;
                        case "ESTABLISHED" -> Tracking.ESTABLISHED_BIT;
                        case "RELATED" -> Tracking.RELATED_BIT;
                        case "UNTRACKED" -> Tracking.UNTRACKED_BIT;
                        case "SNAT" -> Tracking.SOURCE_TRANSLATED_BIT;
                        case "DNAT" -> Tracking.DESTINATION_TRANSLATED_BIT;
                        default -> throw line.wrong("states");
                    };
        }
        long without = bits & (Tracking.INVALID_BIT | Tracking.UNTRACKED_BIT);
        takesUntracked =
                switch (sense) {
                    case IS -> without != 0;
                    case IS_NOT -> without != (Tracking.INVALID_BIT | Tracking.UNTRACKED_BIT);
                };
        steps.add(new Step.AnyBit(Field.STATE_AND_TRANSLATION, sense, bits));
    }

    private static long statuses(SavedLine line) {
        long bits = 0;
        for (String name : line.next("statuses").split(",", -1)) {
            bits |=
                    switch (name) {
                        case "NONE" -> 0;
                        case "EXPECTED" -> Connection.EXPECTED;
                        case "SEEN_REPLY" -> Connection.SEEN_REPLY;
                        case "ASSURED" -> Connection.ASSURED;
                        case "CONFIRMED" -> Connection.CONFIRMED;
                        default -> throw line.wrong("statuses");
                    };
        }
        return bits;
    }

    private static long direction(SavedLine line) {
        return switch (line.next("a direction")) {
            case "ORIGINAL" -> 0;
            case "REPLY" -> 1;
            default -> throw line.wrong("ORIGINAL or REPLY");
        };
    }

    private void address(Operand.End end, Sense sense, SavedLine line) {
        steps.add(
                AddressMask.of(line.next("an address"), family, line)
                        .comparison(end, sense, shared));
    }

    private void port(Field field, Sense sense, SavedLine line) {
        steps.add(Step.In.of(field, sense, PortMatch.range(line.next("a port"), line)));
    }

    @Override
    public List<Step> steps() {
        return List.copyOf(steps);
    }
}
