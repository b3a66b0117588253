package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import java.util.HashMap;
import java.util.Map;

/// Steps of which many rules have the same, each made once: a large ruleset has hundreds of
/// thousands of rules, and a few ports.
final class SharedSteps {
    private record Comparison(Operand operand, Sense sense, Range range) {
        Step step() {
            return Step.In.of(operand, sense, range);
        }
    }

    private final Map<Comparison, Step> made = new HashMap<>();

    Step in(Operand operand, Sense sense, Range range) {
        return made.computeIfAbsent(new Comparison(operand, sense, range), Comparison::step);
    }
}
