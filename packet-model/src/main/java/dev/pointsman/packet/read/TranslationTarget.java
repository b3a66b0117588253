package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.List;

/// `-j DNAT`, `SNAT`, `MASQUERADE` and `REDIRECT`. A range to choose the source port from does not
/// matter to the model; any other range does.
final class TranslationTarget implements SavedPart {
    private final Step.Kind kind;
    private final Family family;
    private final List<Operand> to = new ArrayList<>();
    private final List<Step.Part> parts = new ArrayList<>();
    private Step.Ports ports = Step.Ports.KEPT;

    TranslationTarget(Step.Kind kind, Family family) {
        this.kind = kind;
        this.family = family;
    }

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        switch (option) {
            case "--to-destination", "--to-source" -> {
                if (!to.isEmpty()) {
                    throw new NotUnderstood("several targets");
                }
                target(line.next("an address"), line);
            }
            case "--to-ports", "--to-port" -> port(line.next("a port"), line);
            case "--random", "--random-fully" -> ports = Step.Ports.RANDOM;
            case "--persistent" -> {}
            default -> {
                return false;
            }
        }
        return true;
    }

    /// `10.0.0.1:80`, `10.0.0.1`, `:80`, `[fd00::1]:80` or `fd00::1`.
    private void target(String word, SavedLine line) {
        String address = word;
        String port = "";
        if (word.startsWith("[")) {
            int bracket = word.indexOf(']');
            if (bracket < 0) {
                throw line.wrong("an address in brackets");
            }
            address = word.substring(1, bracket);
            port = afterColon(word.substring(bracket + 1), line);
        } else if (word.indexOf(':') >= 0 && word.indexOf(':') == word.lastIndexOf(':')) {
            int colon = word.indexOf(':');
            address = word.substring(0, colon);
            port = afterColon(word.substring(colon), line);
        }
        if (address.indexOf('-') >= 0) {
            throw new NotUnderstood("a range of addresses");
        }
        if (!address.isEmpty()) {
            add(Step.Part.ADDRESS, Value.of(line.address(address, family)));
        }
        if (!port.isEmpty()) {
            port(port, line);
        }
    }

    private static String afterColon(String word, SavedLine line) {
        if (word.isEmpty()) {
            return "";
        }
        if (!word.startsWith(":") || word.length() == 1) {
            throw line.wrong("a port behind the address");
        }
        return word.substring(1);
    }

    private void port(String word, SavedLine line) {
        if (word.indexOf('-') < 0) {
            add(Step.Part.PORT, Value.of(line.number(word, 65535)));
            return;
        }
        switch (kind) {
            case SNAT, MASQUERADE -> {}
            case DNAT, REDIRECT -> throw new NotUnderstood("a range of ports");
        }
    }

    private void add(Step.Part part, Value value) {
        to.add(Operand.Constant.of(value));
        parts.add(part);
    }

    @Override
    public List<Step> steps() {
        return List.of(new Step.Translate(kind, new Operand.Concatenation(to), parts, ports));
    }
}
