package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Rule;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Value;
import dev.pointsman.packet.netfilter.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// One rule of iptables while it is read: what stands behind `-A CHAIN`. Options go to the part
/// named last that has them.
final class IptablesRule {
    /// A match or the target, its name and where that stands.
    private record Named(SavedPart part, String name, int place) {}

    private final SavedLine line;
    private final RuleParts makes;
    private final Predicate<String> isChain;
    private final Family family;
    private final List<Step> header = new ArrayList<>();
    private final List<Named> parts = new ArrayList<>();
    private Optional<Named> target = Optional.empty();
    private String protocol = "";

    /// @param isChain whether a target is a chain of the table
    IptablesRule(SavedLine line, RuleParts makes, Predicate<String> isChain) {
        this.line = line;
        this.makes = makes;
        this.isChain = isChain;
        family = makes.family();
    }

    Rule read(String text) {
        while (line.hasNext()) {
            Sense sense = line.accept("!") ? Sense.IS_NOT : Sense.IS;
            if (!line.isAtOption()) {
                throw line.expected("an option");
            }
            String option = line.next("an option");
            // Until 1.4.3 iptables-save wrote the sign behind the option.
            if (line.isNext("!") && !line.isAtOption() && line.accept("!")) {
                sense = Sense.IS_NOT;
            }
            option(option, sense);
        }
        return new Rule(steps(), line.line(), text);
    }

    private void option(String option, Sense sense) {
        int place = line.place() - 1;
        switch (option) {
            case "-m", "--match" -> {
                String name = line.next("a match");
                parts.add(new Named(makes.match(name), name, place));
            }
            case "-j", "--jump" -> target(line.next("a target"), place, /* leaves= */ false);
            case "-g", "--goto" -> target(line.next("a chain"), place, /* leaves= */ true);
            case "-c", "--set-counters" -> {
                line.number(Long.MAX_VALUE);
                line.number(Long.MAX_VALUE);
            }
            default -> {
                try {
                    if (header(option, sense)) {
                        return;
                    }
                } catch (NotUnderstood _) {
                    header.add(new Step.Unknown(line.slice(place)));
                    return;
                }
                partOption(option, sense);
            }
        }
    }

    private void target(String name, int place, boolean leaves) {
        if (target.isPresent()) {
            throw line.wrong("only one target");
        }
        SavedPart part;
        if (isChain.test(name)) {
            part = RuleParts.verdict(leaves ? new Verdict.Goto(name) : new Verdict.Jump(name));
        } else {
            part = leaves ? new OpaquePart("-g " + name) : makes.target(name);
        }
        target = Optional.of(new Named(part, name, place));
    }

    /// Takes an option of every rule.
    private boolean header(String option, Sense sense) {
        switch (option) {
            case "-s", "--source", "--src" -> address(Operand.End.SOURCE, sense);
            case "-d", "--destination", "--dst" -> address(Operand.End.DESTINATION, sense);
            case "-i", "--in-interface" -> device(Operand.Field.IN_INTERFACE, sense);
            case "-o", "--out-interface" -> device(Operand.Field.OUT_INTERFACE, sense);
            case "-p", "--protocol", "--proto" -> protocol(sense);
            // The model has no fragments but the first.
            case "-f", "--fragment", "--fragments" -> header.add(SetMatch.never(sense));
            case "-4", "--ipv4", "-6", "--ipv6" -> throw line.wrong("a rule of one family");
            default -> {
                return false;
            }
        }
        return true;
    }

    private void address(Operand.End end, Sense sense) {
        String word = line.next("an address");
        if (word.indexOf(',') >= 0) {
            throw new NotUnderstood("several addresses");
        }
        header.add(AddressMask.of(word, family, line).comparison(end, sense, makes.shared()));
    }

    private void device(Operand.Field field, Sense sense) {
        header.add(
                makes.shared().in(field, sense, BridgeMatch.interfaces(line.next("an interface"))));
    }

    private void protocol(Sense sense) {
        protocol = line.next("a protocol");
        int number = Protocols.number(protocol, line);
        if (number != 0) {
            header.add(
                    makes.shared().in(Operand.Field.PROTOCOL, sense, Range.of(Value.of(number))));
        }
    }

    private void partOption(String option, Sense sense) {
        if (target.isPresent() && taken(target.get(), option, sense)) {
            return;
        }
        for (int i = parts.size() - 1; i >= 0; i--) {
            if (taken(parts.get(i), option, sense)) {
                return;
            }
        }
        Optional<SavedPart> implied =
                parts.stream().anyMatch(named -> named.name().equals(protocol))
                        ? Optional.empty()
                        : makes.ofProtocol(protocol);
        if (implied.isPresent()) {
            Named named = new Named(implied.get(), protocol, line.place() - 1);
            parts.add(named);
            if (taken(named, option, sense)) {
                return;
            }
        }
        Named last = target.orElseGet(() -> parts.isEmpty() ? noPart() : parts.getLast());
        giveUp(last);
    }

    private Named noPart() {
        throw line.wrong("an option of iptables");
    }

    private boolean taken(Named named, String option, Sense sense) {
        try {
            return named.part().takes(option, sense, line);
        } catch (NotUnderstood _) {
            giveUp(named);
            return true;
        }
    }

    /// Makes a part unknown, and skips what may be its.
    private void giveUp(Named named) {
        while (line.hasNext()
                && !line.isNext("-m")
                && !line.isNext("-j")
                && !line.isNext("-g")
                && !line.isNext("--match")
                && !line.isNext("--jump")
                && !line.isNext("--goto")) {
            line.next("a word");
        }
        Named unknown =
                new Named(new OpaquePart(line.slice(named.place())), named.name(), named.place());
        int place = parts.indexOf(named);
        if (place < 0) {
            target = Optional.of(unknown);
        } else {
            parts.set(place, unknown);
        }
    }

    private List<Step> steps() {
        List<Step> steps = new ArrayList<>(header);
        for (Named named : parts) {
            for (Step step : named.part().steps()) {
                if (!steps.contains(step)) {
                    steps.add(step);
                }
            }
        }
        List<Step> acts = target.map(named -> named.part().steps()).orElse(List.of());
        // What does nothing need not be understood, such as a log that a rate limits.
        if (acts.isEmpty() && steps.stream().noneMatch(IptablesRule::writes)) {
            return List.of();
        }
        steps.addAll(acts);
        return steps;
    }

    private static boolean writes(Step step) {
        return step instanceof Step.Recent recent
                && switch (recent.recall()) {
                    case SET, UPDATE, REMOVE -> true;
                    case CHECK -> false;
                };
    }
}
