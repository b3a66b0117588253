package dev.pointsman.packet.netfilter;

import java.util.List;

/// One rule of a chain.
///
/// @param line where it was read
/// @param text as it was read
public record Rule(List<Step> steps, int line, String text) {
    public Rule {
        steps = List.copyOf(steps);
    }

    // Two rules with one text at one line are the same rule.
    @Override
    public int hashCode() {
        return line * 31 + text.hashCode();
    }

    @Override
    public String toString() {
        return line + ": " + text;
    }
}
